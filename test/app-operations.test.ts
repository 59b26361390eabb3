import { join } from 'node:path';
import type { TObject } from 'typebox';
import type { Plugin } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import { accountOperations, operations } from '../server/src/areas/index.ts';
import { type Uses, usesOf } from './support/app-operations.ts';
import { ROOT } from './support/running.ts';

/**
 * Whatever a member may do, a person can do in the app: every operation of members and of accounts is called by a screen that has an
 * address. (That the app in turn calls nothing else is what app-newcomer.test.ts looks at.) The operations below are not called, for a
 * reason each; `instead` names the operation that gives people the same.
 */
const UNUSED: Readonly<Record<string, { why: string; instead?: string }>> = {
  getTicket: { why: 'Tickets are shown with their person, who may have several.', instead: 'listTickets' },
  getMe: { why: 'It tells a program what its key may do. The app has to know what its member may do.' },
  getManifest: { why: 'It tells a scanner what it needs to decide without a connection. The desk asks for each scan.' },
  getRosterChanges: { why: 'It keeps the people that a scanner has stored up to date. The app stores none.' },
};

const offered = [
  ...operations.filter(({ member }) => member !== null).map((one) => ({ ...one, at: `/{}${one.path}` })),
  ...accountOperations.map((one) => ({ ...one, at: `/-${one.path}` })),
];
const byId = new Map(operations.map((one) => [one.id, one]));
const shape = (path: string) => path.replaceAll(/\{\w*\}/g, '{}');

/** The ids of operations that the app calls, or opens by a link. */
const called = ({ operations: named, addresses }: Uses): Set<string> => {
  const linked = offered.filter(({ method, at }) => method === 'GET' && addresses.includes(shape(at)));
  return new Set([...named.keys(), ...linked.map(({ id }) => id)]);
};

describe('every operation of members is used by the app', () => {
  let uses: Uses;
  beforeAll(async () => {
    uses = await usesOf(join(ROOT, 'web', 'admin'), 'src/main.tsx');
  });

  test('each one is called by a screen, or has a reason why not', () => {
    const now = called(uses);
    expect(offered.length).toBeGreaterThan(150);
    expect(offered.map(({ id }) => id).filter((id) => !now.has(id) && UNUSED[id] === undefined)).toEqual([]);
    expect(uses.unclear, 'the first argument of a call has to name the operation').toEqual([]);
  });

  test('what has a reason exists and is not used after all', () => {
    const now = called(uses);
    const ids = new Set<string>(offered.map(({ id }) => id));
    expect(Object.keys(UNUSED).filter((id) => !ids.has(id) || now.has(id))).toEqual([]);
  });

  test('what is used instead gives the same', () => {
    const now = called(uses);
    for (const [id, { instead }] of Object.entries(UNUSED)) {
      if (instead === undefined) continue;
      expect(now, instead).toContain(instead);
      const list = byId.get(instead)?.reply as unknown as TObject<{ data: never }>;
      expect((list.properties.data as { items: unknown }).items, instead).toEqual(byId.get(id)?.reply);
    }
  });

  test('every address that a screen opens by itself is one of an operation', () => {
    const known = offered.filter(({ method }) => method === 'GET').map(({ at }) => shape(at));
    expect(uses.addresses.filter((address) => !known.includes(address))).toEqual([]);
  });
});

/** A small app out of texts. */
const written = (files: Readonly<Record<string, string>>): Plugin => ({
  name: 'written',
  enforce: 'pre',
  resolveId: (id, from) => {
    const path = id.startsWith('/') ? id : join(from ?? '/', '..', id);
    return files[path.replace('/made/src/', '')] === undefined ? null : path;
  },
  load: (id) => files[id.replace('/made/src/', '')] ?? null,
});
const API = `import { call as ask } from '@turnout/client';
export const call = (...args) => ask(...args);
export const useCall = (id, input) => call(id, input);`;
const FILES = {
  'main.ts': `import { routes } from './routes.ts'; globalThis.routes = routes;`,
  'frame/api.ts': API,
  'routes.ts': `import { createRoute } from '@tanstack/react-router';
    export const routes = [createRoute({ load: () => import('./screens/one.ts') })];
    export const forgotten = createRoute({ load: () => import('./screens/forgotten.ts') });`,
  'screens/one.ts': `import { call, useCall } from '../frame/api.ts';
    import { used } from '../parts.ts';
    // call('inComment', {})
    type Named = 'inType';
    export default function One({ what }: { what: Named }) {
      useCall('listThings', {});
      used();
      return [() => call(what ? 'openThing' : 'closeThing', {}), ['inKey'], \`/app/api/\${what}/things/\${what}/pdf?format=a4\`];
    }`,
  'parts.ts': `import { call } from './frame/api.ts';
    export const used = () => call('inPart', {});
    export const unused = () => call('inUnusedFunction', {});`,
  'unused.ts': `import { call } from './frame/api.ts'; call('inUnusedModule', {});`,
  'screens/forgotten.ts': `import { call } from '../frame/api.ts'; export default () => call('inForgottenScreen', {});`,
};

describe('what counts as a use', () => {
  const usesIn = (files: Readonly<Record<string, string>>) => usesOf('/made', 'src/main.ts', [written(files)]);

  test('a call that can be reached from a route does; a comment, a type, a key, an unused function, module or screen does not', async () => {
    const uses = await usesIn(FILES);
    expect([...uses.operations.keys()].toSorted()).toEqual(['closeThing', 'inPart', 'listThings', 'openThing']);
    expect(uses.addresses).toEqual(['/{}/things/{}/pdf']);
    expect(uses.unclear).toEqual([]);
  });

  test('a screen whose route is taken away is not used any more', async () => {
    const routes = FILES['routes.ts'].replace(`[createRoute({ load: () => import('./screens/one.ts') })]`, '[]');
    expect((await usesIn({ ...FILES, 'routes.ts': routes })).operations.size).toBe(0);
  });

  test('a call whose operation cannot be read from the text is named', async () => {
    const screen = FILES['screens/one.ts'].replace(`what ? 'openThing' : 'closeThing'`, 'what');
    expect((await usesIn({ ...FILES, 'screens/one.ts': screen })).unclear).toEqual(['screens/one.ts']);
  });
});
