import { expect } from 'vitest';
import { newId } from '../../server/src/common/ids.ts';

/**
 * Loaded before each test file where TEST_TIME says that the tests run at another time (scripts/test.mjs). `month-end` is 23:59:50
 * UTC on the last day of this month, so midnight, and with it the next month, comes after ten seconds; otherwise it is a time such
 * as 2031-12-31T23:59:50Z. Each file starts at that time, and the clock runs on from there. Tests and product read the time from
 * `Date`, directly or through the clock that is injected (server/src/clock.ts); the product never asks PostgreSQL for it.
 */
const wanted = process.env.TEST_TIME!;
/** They read the clock of the machine, by receivers in other languages or by the times of files, so they cannot run at another time. */
const MACHINE_TIME = ['test/receivers.test.ts', 'test/apps-build.test.ts'];
const moved = new URL('./moved-date.mjs', import.meta.url);
const { machineNow, moveTo } = await import(moved.href);
const machine = new Date(machineNow());
const monthEnd = Date.UTC(machine.getUTCFullYear(), machine.getUTCMonth() + 1, 1) - 10_000;
const time = wanted === 'month-end' ? monthEnd : Date.parse(wanted);
if (Number.isNaN(time)) throw new Error(`TEST_TIME=${wanted} is neither month-end nor a time.`);

const file = expect.getState().testPath ?? '';
moveTo(MACHINE_TIME.some((path) => file.endsWith(path)) ? machineNow() : time);
// The file before may have ended less than a minute later than this one begins. Ids would go on counting from its last one, and be dated in
// the future; one that is much older makes them begin anew.
newId(new Date(0));
// For the Node processes that tests start.
const load = `--import=${moved.href}`;
if (!(process.env.NODE_OPTIONS ?? '').includes(load)) {
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} ${load}`.trim();
}
