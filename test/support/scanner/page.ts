import * as engine from '../../../web/scan/src/engine/index.ts';
import { startRoster } from '../../../web/scan/src/roster/client.ts';

/** What tests call in the page. The engine that is open stays here, because only plain values pass between a test and its page. */
export interface ScanPage {
  api: typeof engine;
  open: engine.Engine | null;
  disagreements: engine.Disagreement[];
  /** The roster alone, for measuring it without the disk and the network. */
  startRoster: typeof startRoster;
}

const scan: ScanPage = { api: engine, open: null, disagreements: [], startRoster };
Object.assign(globalThis, { scan });
