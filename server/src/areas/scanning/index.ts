import { deviceOperations } from './device-operations.ts';
import { handOutOperations } from './hand-out-operations.ts';
import { operations as scanOperations } from './operations.ts';
import { pinOperations } from './pin-operations.ts';

export { deleteCheckIns } from './corrections.ts';
export { crons } from './jobs.ts';
export { pairingPage } from './pair-page.ts';
export { rosterLink } from './roster-page.ts';
export { oldestScanner } from './scanner-version.ts';
export type { PairingLimits } from './wrong-codes.ts';
export const operations = [...scanOperations, ...handOutOperations, ...deviceOperations, ...pinOperations];
