export { type OpenOptions, openEngine } from './engine.ts';
export { EngineError, type EngineFault } from './errors.ts';
export { takeOver } from './lock.ts';
export { forget, join, pair, pairedEvents, storageState, wipeSeen } from './pairing.ts';
export type * from './types.ts';
export { VERSION } from './version.ts';
