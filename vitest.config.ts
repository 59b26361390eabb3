import { configDefaults, defineConfig } from 'vitest/config';

/** What takes minutes: `npm run test:long`, which `.ci/run` runs after `npm test`. */
const LONG = ['test/abuse.test.ts'];
const long = process.env.TURNOUT_TESTS === 'long';

export default defineConfig({
  test: {
    include: long ? LONG : ['packages/*/src/**/*.test.ts', 'server/src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(long ? [] : LONG)],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Two cores: two files at a time keeps PostgreSQL and the test runner from starving each other.
    maxWorkers: 2,
    reporters: ['default', './scripts/closing-line.mjs'],
  },
});
