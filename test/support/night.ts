/** Whether the tests of the night run (scripts/test.mjs): every language and every row, where a usual run tries one of each kind. */
export const isNight = process.env.NIGHT === '1';
