import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * When each test file runs. A file that is in none of these lists is one of the usual ones, which `npm test` runs.
 *
 * JOURNEYS and ALONE: `npm run test:journeys`, which `.ci/run` runs after `npm test`. Whoever uses the apps in a browser, follows the
 * guides, races for the last place, or is a random organization beside others.
 *
 * NIGHT: `npm run test:night`, for what a change seldom breaks and takes minutes to find: every language, width and colour, other
 * browsers, the generators and platforms of others, the worst requests, the largest files and registrations, processes killed again and
 * again.
 */
const JOURNEYS = [
  'test/app-newcomer.test.ts',
  'test/app-*-browser.test.ts',
  'test/scanner-*-browser.test.ts',
  'test/pages-browser.test.ts',
  'test/guides.test.ts',
  'test/wall-properties.test.ts',
  'test/access-matrix*.test.ts',
  'test/registrations-model.test.ts',
  'test/explain.test.ts',
  'test/erasure.test.ts',
  'test/selling-crash.test.ts',
  'test/running.test.ts',
  'test/cli.test.ts',
  'server/src/service-pages/home-page.test.ts',
  'test/apps-size.test.ts',
  'test/scanner-size.test.ts',
  'server/src/areas/accounts/attack.test.ts',
  'server/src/areas/bulk/bulk.race.test.ts',
  'server/src/areas/transfers/import.race.test.ts',
];
/** They measure their process, count all of its statements, or replace a module (`vi.mock`), so each has a process of its own. */
const ALONE = [
  'test/crash.test.ts',
  'test/statements.test.ts',
  'server/src/areas/registrations/places.race.test.ts',
  'server/src/areas/registrations/selling.race.test.ts',
  'server/src/areas/scanning/*.race.test.ts',
  'server/src/areas/pages/*.race.test.ts',
  'server/src/areas/webhooks/deliver.test.ts',
  'server/src/areas/transfers/import-stall.test.ts',
];
const NIGHT = [
  'test/abuse.test.ts',
  'test/abuse-products.test.ts',
  'test/regexes.test.ts',
  'test/app-looks-browser.test.ts',
  'test/app-shift-browser.test.ts',
  'test/scanner-looks-browser.test.ts',
  'test/scanner-others-browser.test.ts',
  'test/scanner-golden-browser.test.ts',
  'test/scanner-gates-browser.test.ts',
  'test/scanner-camera-browser.test.ts',
  'test/components-browser.test.ts',
  'test/reference-page-browser.test.ts',
  'test/app-hour.test.ts',
  'test/dev-browser.test.ts',
  'test/walls.test.ts',
  'test/files-across-processes.test.ts',
  'test/pooler.test.ts',
  'test/replica.test.ts',
  'test/monitoring-rules.test.ts',
  'test/stops.test.ts',
  'test/upgrade-beside.test.ts',
  'test/container.test.ts',
  'test/deploy-programs.test.ts',
  'server/src/outside/s3-files.test.ts',
  'server/src/areas/scanning/scan.properties.test.ts',
  'server/src/areas/transfers/import.property.test.ts',
  'server/src/areas/pages/form-property.test.ts',
  'server/src/outside/pictures/pictures.test.ts',
  'test/openapi-lint.test.ts',
  'test/openapi-outside.test.ts',
  'test/python*.test.ts',
  'test/openapi-samples.test.ts',
  'test/integration-program.test.ts',
  'packages/sdk/src/published-runtimes.test.ts',
  'test/automation-*.test.ts',
  'packages/sdk/src/published.test.ts',
  'server/src/areas/registrations/letters.mime.test.ts',
  'server/src/areas/registrations/size.test.ts',
  'server/src/areas/scanning/batch.size.test.ts',
  'server/src/areas/transfers/import-heavy.test.ts',
  'server/src/outside/ticket-pdf/hostile.test.ts',
  'server/src/embedded/embedded.test.ts',
  '**/*-large.test.ts',
  '**/*crash.test.ts',
];
/**
 * Tests that do more at night: many random worlds, every row of the access matrix, every language, mouse and keyboard
 * (scripts/test.mjs).
 */
const NIGHT_AGAIN = [
  'test/running.test.ts',
  'test/guides.test.ts',
  'test/pages-browser.test.ts',
  'test/app-newcomer.test.ts',
  'test/wall-properties.test.ts',
  'test/access-matrix*.test.ts',
  'test/registrations-model.test.ts',
  'server/src/areas/accounts/attack.test.ts',
  'server/src/areas/registrations/search.test.ts',
  'test/page-size.test.ts',
  'test/receivers.test.ts',
  'server/src/areas/transfers/import-upload.test.ts',
];
const ALL = [
  'packages/*/src/**/*.test.ts',
  'server/src/**/*.test.ts',
  'web/*/src/**/*.test.ts',
  'test/**/*.test.ts',
  'drill/*.test.ts',
];

const RUNS: Record<string, { include: string[]; exclude: string[]; isolate: boolean }> = {
  usual: { include: ALL, exclude: [...JOURNEYS, ...ALONE, ...NIGHT], isolate: false },
  journeys: { include: JOURNEYS, exclude: [...ALONE, ...NIGHT], isolate: false },
  alone: { include: ALONE, exclude: [], isolate: true },
  night: { include: [...NIGHT, ...NIGHT_AGAIN], exclude: ALONE, isolate: true },
  all: { include: ALL, exclude: [], isolate: true },
};

/**
 * scripts/test.mjs sets these. TURNOUT_TESTS is one of RUNS: `all`, where files are named. TEST_SEED shuffles the tests within each file.
 * TEST_TIME runs each file at another time.
 */
const { TURNOUT_TESTS: which = 'all', TEST_SEED: seed, TEST_TIME: time } = process.env;
const { include, exclude, isolate } = RUNS[which]!;

/**
 * The longest of all. If they began last, one of the two processes would have nothing to do for minutes. The test of abuse measures, so
 * it begins when the sweep of all screens has ended.
 */
const FIRST = [
  'test/app-looks-browser.test.ts',
  'test/scanner-golden-browser.test.ts',
  'test/scanner-gates-browser.test.ts',
  'test/app-door-browser.test.ts',
  'test/app-people-browser.test.ts',
  'test/abuse.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = FIRST.findIndex((path) => moduleId.endsWith(path));
      return place < 0 ? FIRST.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  // Inside the repository, `@turnout/sdk` is its sources (packages/sdk/package.json). The other conditions are Vitest's own: without
  // `module`, because packages name modules there that only bundlers can read.
  ssr: { resolve: { conditions: ['turnout-source', 'node', 'development|production'] } },
  test: {
    include,
    exclude: [...configDefaults.exclude, ...exclude],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: [...(time === undefined ? [] : ['test/support/test-time.ts']), 'test/support/processor-time.ts'],
    testTimeout: 60_000,
    // What a test waits for takes longer on a busy machine. The second that is usual was sometimes too short there.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
    pool: 'forks',
    // Files that do not need a process of their own follow each other in two processes: loading the server, and a browser, anew for each
    // of them took about half of the time. A file leaves nothing behind that another one could see.
    isolate,
    // With more than two files at a time, PostgreSQL and the test processes starve each other on two cores.
    maxWorkers: 2,
    sequence: {
      sequencer: LongestFirst,
      ...(seed !== undefined && { shuffle: { files: false, tests: true }, seed: Number(seed) }),
    },
    reporters: ['default', './scripts/closing-line.mjs'],
  },
});
