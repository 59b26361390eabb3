export { crons } from './jobs.ts';
export { PUBLIC_TEST_KEY, refreshSandbox, SANDBOX_CODE } from './sandbox.ts';
