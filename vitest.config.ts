import { configDefaults, defineConfig } from 'vitest/config';

/**
 * What takes long: `npm run test:long`, which `.ci/run` runs after `npm test`. Everything under the worst requests and the slowest
 * texts, worlds made at random, processes that are killed again and again, the largest files, a database that is installed anew.
 */
const LONG = [
  'test/abuse.test.ts',
  'test/regexes.test.ts',
  'test/walls.test.ts',
  '**/*crash.test.ts',
  '**/*-large.test.ts',
  'server/src/areas/transfers/import-stall.test.ts',
  'server/src/embedded/embedded.test.ts',
];
const ALL = ['packages/*/src/**/*.test.ts', 'server/src/**/*.test.ts', 'test/**/*.test.ts'];
/** `usual`, `long`, or all of it where files are named (scripts/test.mjs). */
const which = process.env.TURNOUT_TESTS ?? 'all';

export default defineConfig({
  test: {
    include: which === 'long' ? LONG : ALL,
    exclude: [...configDefaults.exclude, ...(which === 'usual' ? LONG : [])],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Two cores: two files at a time keeps PostgreSQL and the test runner from starving each other.
    maxWorkers: 2,
    reporters: ['default', './scripts/closing-line.mjs'],
  },
});
