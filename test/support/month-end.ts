/**
 * Loaded before a test file when it is to run at the end of a month (`npm test -- FILE --month-end`, and the second half of
 * `npm run test:long`): this process believes that it is 23:59:50 UTC on the last day of the month, and midnight comes ten
 * seconds later. Tests and product read the time from `Date`, directly or through the clock that is injected
 * (server/src/clock.ts); the product never asks PostgreSQL for it.
 */
const machine = new Date();
const monthEnd = Date.UTC(machine.getUTCFullYear(), machine.getUTCMonth() + 1, 1) - 10_000;
const moved = new URL('./moved-date.mjs', import.meta.url);

process.env.DATE_OFFSET_MS = String(monthEnd - machine.getTime());
// For the Node processes that tests start.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${moved.href}`.trim();
await import(moved.href);
