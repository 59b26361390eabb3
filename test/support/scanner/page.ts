import * as engine from '../../../web/scan/src/engine/index.ts';

/** What tests call in the page. The engine that is open stays here, because only plain values pass between a test and its page. */
export interface ScanPage {
  api: typeof engine;
  open: engine.Engine | null;
  disagreements: engine.Disagreement[];
}

const scan: ScanPage = { api: engine, open: null, disagreements: [] };
Object.assign(globalThis, { scan });
