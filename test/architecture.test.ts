import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { circles, forbidden, importsOf, partOf, type Source, type Workspaces } from './support/architecture.ts';

const ROOT = new URL('../', import.meta.url);
const FOLDERS = ['packages', 'server', 'web', 'integrations', 'bench', 'drill', 'test'];

function sourcesBelow(folder: string): Source[] {
  return readdirSync(new URL(`${folder}/`, ROOT), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return /^(node_modules|dist|data|\..*)$/.test(entry.name) ? [] : sourcesBelow(path);
    return /\.(ts|tsx|mts)$/.test(entry.name) ? [{ path, text: readFileSync(new URL(path, ROOT), 'utf8') }] : [];
  });
}

function findWorkspaces(): Workspaces {
  const found = new Map<string, string>();
  for (const group of ['packages', 'web', 'integrations']) {
    if (!existsSync(new URL(group, ROOT))) continue;
    for (const folder of readdirSync(new URL(group, ROOT))) {
      const file = new URL(`${group}/${folder}/package.json`, ROOT);
      if (!existsSync(file)) continue;
      const { name, exports } = JSON.parse(readFileSync(file, 'utf8')) as {
        name: string;
        exports?: Record<string, unknown>;
      };
      for (const [entry, to] of Object.entries(exports ?? {})) {
        // What others install is built. Inside the repository, the condition leads to the sources.
        const file = typeof to === 'string' ? to : (to as Record<string, unknown>)['turnout-source'];
        if (typeof file === 'string') found.set(posix.join(name, entry), posix.join(group, folder, file));
      }
    }
  }
  return found;
}

const sources = FOLDERS.filter((folder) => existsSync(new URL(folder, ROOT))).flatMap(sourcesBelow);
const workspaces = findWorkspaces();

describe('who may import whom', () => {
  test('every file of the repository is checked', () => {
    expect(sources.map((source) => source.path)).toEqual(
      expect.arrayContaining([
        'server/src/road/router.ts',
        'server/src/areas/events/index.ts',
        'packages/contract/src/index.ts',
      ]),
    );
    expect(workspaces.get('@turnout/contract')).toBe('packages/contract/src/index.ts');
    const found = sources.flatMap((source) => importsOf(source, workspaces));
    expect(found).toContainEqual({
      from: 'server/src/areas/audit/operations.ts',
      specifier: '../events/index.ts',
      to: 'server/src/areas/events/index.ts',
      type: false,
    });
    expect(found).toContainEqual(expect.objectContaining({ from: 'server/src/road/road.ts', type: true }));
  });

  test('every import of our own code leads to a file', () => {
    const lost = sources.flatMap((source) =>
      partOf(source.path)?.name === 'test'
        ? []
        : importsOf(source, workspaces).flatMap((one) =>
            one.to === null || existsSync(new URL(one.to, ROOT)) ? [] : [`${one.from}: ${one.specifier}`],
          ),
    );
    expect(lost).toEqual([]);
  });

  test('no part imports another part that it may not import', () => expect(forbidden(sources, workspaces)).toEqual([]));

  test('no files import each other in a circle, not even for types', () =>
    expect(circles(sources, workspaces).map((circle) => circle.join('\n  → '))).toEqual([]));
});

/**
 * The files outside areas/groups that select the subtree of a group in SQL. They filter by a group that the caller names, or find the
 * webhook endpoints of a group; none of them decides what a caller may reach.
 */
const SUBTREES = [
  'server/src/areas/communications/audience.ts',
  'server/src/areas/transfers/export-world.ts',
  'server/src/areas/webhooks/fan-out.ts',
  'server/src/areas/webhooks/listens.ts',
];
const asksForSubtree = ({ path, text }: Source): boolean =>
  path.startsWith('server/src/') &&
  !path.startsWith('server/src/areas/groups/') &&
  !/\.(test|support)\.ts$/.test(path) &&
  /any\((\w+\.)?path\)|\bpath &&|&& \w+\.path\b/.test(text);

describe('what a caller that is limited to a group may reach', () => {
  test('is decided in areas/groups alone', () => {
    expect(sources.filter(asksForSubtree).map((source) => source.path)).toEqual(SUBTREES);
  });
  test('a query in another area that selects a subtree is found', () => {
    const text = 'sql`a.group_id in (select g.id from groups g where $1 = any(g.path))`';
    expect(asksForSubtree({ path: 'server/src/areas/scanning/roster.ts', text })).toBe(true);
  });
});

/**
 * The files that may use these functions of the platform, and why. `URLSearchParams` of Node 24 takes the square of the time for texts
 * such as `a&a&a`, and each exception of `decodeURIComponent` takes longer than a small form. Texts from outside are read by
 * road/request/form-body.ts, and addresses by the router.
 */
const READ_BY_HAND: Readonly<Record<string, string>> = {
  'server/src/areas/pages/site.ts': 'It writes an address from our own words.',
  'server/src/cli/doctor/secrets.ts': 'It reads settings of the operator.',
  'server/src/common/files-place.ts': 'It reads a setting of the operator.',
  'server/src/openapi/samples.ts': 'It writes an address from our own samples.',
  'server/src/outside/eventbrite-calls.ts': 'It writes the address of a call that we make.',
  'server/src/road/request/offered.ts':
    'It decodes at most as many words of an address as the longest route has, up to the first fault.',
  'server/src/start/budgets.ts': 'It reads a setting of the operator.',
};
const readsByHand = ({ path, text }: Source): boolean =>
  path.startsWith('server/src/') &&
  !/\.(test|support)\.ts$/.test(path) &&
  /\bURLSearchParams\b|\bsearchParams\b|\bquerystring\b|\bdecodeURI(Component)?\(/.test(
    text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''),
  );

describe('texts from outside that are encoded like addresses', () => {
  test('are read in one place, whose time is known', () => {
    expect(sources.filter(readsByHand).map(({ path }) => path)).toEqual(Object.keys(READ_BY_HAND));
  });
  test.each([
    'const fields = new URLSearchParams(body);',
    "const wanted = new URL(address).searchParams.get('a');",
    "import { parse } from 'node:querystring';",
    'return decodeURIComponent(word);',
  ])('a file that reads them by hand is found: %s', (text) => {
    expect(readsByHand({ path: 'server/src/areas/pages/draft.ts', text })).toBe(true);
    expect(readsByHand({ path: 'server/src/areas/pages/draft.ts', text: `/** ${text} */` })).toBe(false);
  });
});

describe('every rule is seen failing once', () => {
  const names: Workspaces = new Map([
    ['@turnout/checkin', 'packages/checkin/src/index.ts'],
    ['@turnout/contract', 'packages/contract/src/index.ts'],
    ['@turnout/contract/access', 'packages/contract/src/access.ts'],
    ['@turnout/sdk', 'packages/sdk/src/index.ts'],
    ['@turnout/client', 'packages/client/src/index.ts'],
    ['@turnout/ui', 'packages/ui/src/index.ts'],
    ['@turnout/words', 'packages/words/src/index.ts'],
  ]);
  const one = (path: string, text: string) => forbidden([{ path, text }], names);

  test.each([
    ['packages/checkin/src/decide.ts', `import { PLANS } from '@turnout/contract';`],
    ['packages/sdk/src/index.ts', `import type { Event } from '@turnout/contract';`],
    ['packages/contract/src/index.ts', `export * from '@turnout/sdk';`],
    ['packages/contract/src/index.ts', `import { Tx } from '../../../server/src/store/tx.ts';`],
    ['server/src/road/road.ts', `import { anEvent } from '../areas/events/index.ts';`],
    ['server/src/road/road.ts', `import { startSchedule } from '../work/schedule.ts';`],
    ['server/src/road/for-areas/mail.ts', `import { smtpTransport } from '../../outside/mail.ts';`],
    ['server/src/store/tx.ts', `import type { Caller } from '../road/caller.ts';`],
    ['server/src/store/tx.ts', `export { operations } from '../areas/index.ts';`],
    ['server/src/outside/mail.ts', `import '../areas/plans/index.ts';`],
    ['server/src/outside/mail.ts', `import { Loop } from '../work/loop.ts';`],
    ['server/src/areas/audit/operations.ts', `import { findEvent } from '../events/queries.ts';`],
    [
      'server/src/areas/audit/operations.ts',
      `import {\n  findEvent,\n  type EventRow,\n} from '../events/queries.ts';`,
    ],
    ['server/src/areas/audit/operations.ts', `const later = await import('../events/queries.ts');`],
    ['server/src/areas/audit/operations.ts', `let row: import('../events/queries.ts').EventRow;`],
    ['server/src/areas/audit/operations.ts', `import { operations } from '../index.ts';`],
    ['server/src/areas/audit/operations.ts', `import { readConfig } from '../../config.ts';`],
    ['server/src/areas/index.ts', `import { anEvent } from './events/references.ts';`],
    ['server/src/work/relay.ts', `import { warnOwners } from '../areas/plans/index.ts';`],
    ['server/src/work/relay.ts', `import { commands } from '../cli/commands.ts';`],
    ['server/src/openapi/document.ts', `import { operations } from '../areas/index.ts';`],
    ['server/src/start/app.ts', `import { startTest } from '../../test/support/turnout.ts';`],
    ['server/src/start/app.ts', `import { PLANS } from '../../packages/contract/src/plans.ts';`],
    ['web/pages/src/main.tsx', `import { decide } from '@turnout/checkin';`],
    ['web/admin/src/main.tsx', `import { verify } from '@turnout/sdk';`],
    ['web/admin/src/main.tsx', `import { REFUSALS } from '@turnout/contract';`],
    ['web/admin/src/main.tsx', `import { type Event, REFUSALS } from '@turnout/contract';`],
    ['packages/ui/src/form.tsx', `import { router } from '../../../web/admin/src/routes.ts';`],
    ['packages/client/src/call.ts', `import { Button } from '@turnout/ui';`],
    ['packages/words/src/words.ts', `import { call } from '@turnout/client';`],
    ['server/src/web/app-pages.ts', `import { readConfig } from '../config.ts';`],
    ['web/admin/src/main.tsx', `import { Queue } from '../../scan/src/queue.ts';`],
    ['integrations/zapier/src/index.ts', `import { Client } from '@turnout/sdk';`],
    ['somewhere/else.ts', `import { PLANS } from '@turnout/contract';`],
  ])('%s: %s', (path, text) => {
    expect(one(path, text)).toEqual([expect.stringContaining(`${path} imports `)]);
  });

  test.each([
    ['packages/contract/src/index.ts', `import { RESULTS } from '@turnout/checkin';`],
    [
      'server/src/road/road.ts',
      `import type { Scope } from '@turnout/contract';\nimport { Tx } from '../store/tx.ts';`,
    ],
    [
      'server/src/road/road.ts',
      `import { type Clock } from '../clock.ts';\nimport { Secrets } from '../common/secrets.ts';`,
    ],
    ['server/src/areas/audit/operations.ts', `import { anEvent } from '../events/index.ts';`],
    ['server/src/areas/events/index.ts', `export { createEvent } from './events.ts';`],
    ['server/src/areas/events/deep/rule.ts', `import { days } from '../days.ts';`],
    ['server/src/areas/index.ts', `import { operations as events } from './events/index.ts';`],
    ['server/src/start/app.ts', `import { operations } from './areas/index.ts';`],
    ['server/src/areas/events/events.test.ts', `import { findGroup } from '../groups/queries.ts';`],
    ['web/scan/src/main.tsx', `import { decide } from '@turnout/checkin';\nimport { call } from '@turnout/client';`],
    ['web/admin/src/screens/door/simulate.ts', `import { decide } from '@turnout/checkin';`],
    [
      'web/admin/src/main.tsx',
      `import type { Event } from '@turnout/contract';\nimport { ROLES } from '@turnout/contract/access';`,
    ],
    ['web/admin/src/main.tsx', `import { call } from '@turnout/client';\nimport { Form } from '@turnout/ui';`],
    ['packages/ui/src/form.tsx', `import { Problem } from '@turnout/client';\nimport { Words } from '@turnout/words';`],
    ['packages/checkin/src/decide.ts', `// import { PLANS } from '@turnout/contract';`],
  ])('allowed: %s: %s', (path, text) => {
    expect(one(path, text)).toEqual([]);
  });

  test('a circle of files is reported with its path, also one that is closed by a type', () => {
    const file = (path: string, ...lines: string[]): Source => ({
      path: `server/src/road/${path}`,
      text: lines.join('\n'),
    });
    const a = file('a.ts', `import { b } from './b.ts';`);
    const b = file('b.ts', `import { c } from './c.ts';`, `import { a } from './d.ts';`);
    const d = file('d.ts', `export const a = 1;`);
    expect(circles([a, b, d, file('c.ts', `export { a } from './a.ts';`)], names)).toEqual([
      ['server/src/road/a.ts', 'server/src/road/b.ts', 'server/src/road/c.ts', 'server/src/road/a.ts'],
    ]);
    for (const closing of [
      `import type { A } from './a.ts';`,
      `import { type A } from './a.ts';`,
      `export type { A } from './a.ts';`,
      `let a: import('./a.ts').A;`,
    ]) {
      expect(circles([a, b, d, file('c.ts', closing)], names), closing).toHaveLength(1);
    }
    expect(circles([a, b, d, file('c.ts', `export const c = 1;`)], names)).toEqual([]);
    expect(circles([file('e.ts', `import type { E } from './e.ts';`)], names)).toHaveLength(1);
  });
});
