import * as engine from '../../../web/scan/src/engine/index.ts';
import { startRoster } from '../../../web/scan/src/roster/client.ts';
import { Db, UPGRADES } from '../../../web/scan/src/store/db.ts';
import { readQueue } from '../../../web/scan/src/store/scans.ts';

/** What tests call in the page. The engine that is open stays here, because only plain values pass between a test and its page. */
export interface ScanPage {
  api: typeof engine;
  open: engine.Engine | null;
  disagreements: engine.Disagreement[];
  /** The roster alone, for measuring it without the disk and the network. */
  startRoster: typeof startRoster;
  /** The database by itself, for opening it as another version of the app does. */
  store: { Db: typeof Db; UPGRADES: typeof UPGRADES; readQueue: typeof readQueue };
}

const scan: ScanPage = { api: engine, open: null, disagreements: [], startRoster, store: { Db, UPGRADES, readQueue } };
Object.assign(globalThis, { scan });
