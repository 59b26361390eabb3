export { SANDBOX_CODE } from '../../road/write/sandbox-room.ts';
export { closeSandbox, isSandboxOpen } from './close.ts';
export { crons } from './jobs.ts';
export { isSandboxFresh, PUBLIC_TEST_KEY, refreshSandbox } from './sandbox.ts';
