import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The tests that take long: the worst requests, the slowest texts, random worlds, races, processes that are started and killed again
 * and again, the largest files, the plans of large tables, a database that is installed anew, every operation with every role. `npm run
 * test:long` runs them, and `.ci/run` does after `npm test`.
 */
const LONG = [
  'test/abuse.test.ts',
  'test/abuse-products.test.ts',
  'test/regexes.test.ts',
  'test/walls.test.ts',
  'test/wall-properties.test.ts',
  'test/registrations-model.test.ts',
  'test/running.test.ts',
  'test/cli.test.ts',
  'test/integration-program.test.ts',
  'test/access-matrix*.test.ts',
  'server/src/areas/scanning/scan.properties.test.ts',
  '**/*crash.test.ts',
  '**/*.race.test.ts',
  'test/explain.test.ts',
  // They count the statements of their process, or the calls of a module (`vi.mock`, before anybody has loaded it), so they need a
  // process of their own.
  'test/statements.test.ts',
  'server/src/areas/webhooks/deliver.test.ts',
  'test/erasure.test.ts',
  // Two checkers of types, and an environment of its own for the package.
  'test/python-package.test.ts',
  'server/src/areas/registrations/letters.mime.test.ts',
  '**/*-large.test.ts',
  'server/src/areas/transfers/import-stall.test.ts',
  'server/src/embedded/embedded.test.ts',
  'server/src/areas/accounts/attack.test.ts',
  // They install the automation platforms' own packages, which patch Node's modules for the whole process.
  'test/automation-*.test.ts',
  // Every screen in a browser, in several languages, widths and colours.
  'test/app-newcomer.test.ts',
  'test/app-hour.test.ts',
  'test/app-*-browser.test.ts',
  'test/scanner-*-browser.test.ts',
  'test/pages-browser.test.ts',
  'test/components-browser.test.ts',
  'test/dev-browser.test.ts',
  'test/reference-page-browser.test.ts',
  // Whole clients, made by the generators of others and checked.
  'test/openapi-outside.test.ts',
  // What the guides say is done as it stands there, with servers and installations of their own.
  'test/guides.test.ts',
];
/** They read the clock of the machine, by receivers in other languages or by the times of files, so they cannot run at another time. */
const MACHINE_TIME = ['test/receivers.test.ts', 'test/apps-build.test.ts'];
/** Where days, opening hours, deadlines, schedules and the calls of a month are counted: what may go wrong when a month ends. */
const CALENDAR = [
  'packages/checkin/src/**/*.test.ts',
  'server/src/areas/{access,accounts,communications,events,live,overview,plans,registrations,reports,scanning,webhooks}/**/*.test.ts',
  'server/src/outside/calendar.test.ts',
  'server/src/{road,work}/*.test.ts',
];
/** Long ones among them that no calendar matters to. */
const TIMELESS = [
  'server/src/areas/accounts/{oidc,passkeys}.test.ts',
  'server/src/areas/registrations/{checkout,erase,letters*,lookups,search}.test.ts',
  'server/src/areas/reports/plans.test.ts',
  'server/src/areas/scanning/{batch.pace,devices,roster,scan.hostile,unlock}.test.ts',
  'server/src/road/{actors,bodies,edge,faults,file-field,lane}.test.ts',
  'server/src/work/{mail-turns,mails,relay}.test.ts',
];
const ALL = ['packages/*/src/**/*.test.ts', 'server/src/**/*.test.ts', 'web/*/src/**/*.test.ts', 'test/**/*.test.ts'];

/**
 * scripts/test.mjs sets these. TURNOUT_TESTS is `usual`, `calendar`, `long` or, where files are named, `all`. TEST_SEED shuffles the tests
 * within each file. TEST_TIME runs each file at another time.
 */
const { TURNOUT_TESTS: which = 'all', TEST_SEED: seed, TEST_TIME: time } = process.env;

/**
 * The longest of all. If they began last, one of the two processes would have nothing to do for minutes. The test of abuse measures, so
 * it begins when the sweep of all screens has ended.
 */
const FIRST = [
  'test/app-looks-browser.test.ts',
  'test/scanner-gates-browser.test.ts',
  'test/scanner-golden-browser.test.ts',
  'test/scanner-engine-browser.test.ts',
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
  test: {
    include: which === 'long' ? LONG : which === 'calendar' ? CALENDAR : ALL,
    exclude: [
      ...configDefaults.exclude,
      ...(which === 'usual' || which === 'calendar' ? LONG : []),
      ...(which === 'calendar' ? TIMELESS : []),
      ...(time === undefined ? [] : MACHINE_TIME),
    ],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: [...(time === undefined ? [] : ['test/support/test-time.ts']), 'test/support/processor-time.ts'],
    testTimeout: 60_000,
    // What a test waits for takes longer on a busy machine. The second that is usual was sometimes too short there.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
    pool: 'forks',
    // The usual files follow each other in two processes: loading the server anew for each of them took a quarter of the time. A file
    // leaves nothing behind that another one could see, and replaces no module (`vi.mock`). The long ones measure memory and processor
    // time, and have a process each.
    isolate: which !== 'usual' && which !== 'calendar',
    // With more than two files at a time, PostgreSQL and the test processes starve each other on two cores.
    maxWorkers: 2,
    sequence: {
      sequencer: LongestFirst,
      ...(seed !== undefined && { shuffle: { files: false, tests: true }, seed: Number(seed) }),
    },
    reporters: ['default', './scripts/closing-line.mjs'],
  },
});
