import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appRoutes, screenFileOf } from './support/app-routes.ts';
import { importsOf, type Source } from './support/architecture.ts';
import { ROOT } from './support/running.ts';

const ADMIN = 'web/admin/src';
const SCREENS = `${ADMIN}/screens/`;
const isScreen = (path: string) => path.endsWith('.screen.tsx');

const sources: Source[] = readdirSync(join(ROOT, ADMIN), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ path: `${ADMIN}/${name}`, text: readFileSync(join(ROOT, ADMIN, name), 'utf8') }));
const routes = appRoutes().map(({ address, file }) => ({ address, file: file.replace('src/screens/', '') }));

/** Who imports a screen without being a file of routes. */
const importersOf = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => !path.startsWith(`${ADMIN}/routes/`))
    .flatMap((source) => importsOf(source, new Map()))
    .filter(({ to }) => to !== null && isScreen(to))
    .map(({ from, to }) => `${from} imports ${to}`);

describe('the screens of the organizer’s app', () => {
  test('each is the file that its address names', () => {
    expect(routes.length).toBeGreaterThan(50);
    expect(routes).toEqual(routes.map(({ address }) => ({ address, file: screenFileOf(address) })));
  });

  test('each file of a screen has one route', () => {
    const files = sources.map(({ path }) => path).filter(isScreen);
    expect(routes.map(({ file }) => SCREENS + file).toSorted()).toEqual(files.toSorted());
  });

  test('nothing else imports a screen: what others need of it is in the folder beside it', () => {
    expect(importersOf(sources)).toEqual([]);
  });
});

describe('every rule is seen failing once', () => {
  test.each([
    ['/$org', 'home'],
    ['/-/sign-in', 'sign-in'],
    ['/$org/developers/webhooks/$webhook/deliveries/$delivery', 'developers/webhooks/deliveries/delivery'],
    ['/$org/events', 'events'],
    ['/$org/events/new', 'events/new'],
    ['/$org/events/$event', 'event/overview'],
    ['/$org/events/$event/people/$attendee', 'event/people/attendee'],
    ['/$org/events/$event/check-in', 'event/check-in'],
  ])('%s is %s', (address, file) => expect(screenFileOf(address)).toBe(`${file}.screen.tsx`));

  test.each([
    [`import { contactName } from '../contacts.screen.tsx';`],
    [`import type { Row } from '../contacts.screen.tsx';`],
    [`const later = () => import('../contacts.screen.tsx');`],
  ])('a part that imports a screen is found: %s', (text) => {
    const path = `${SCREENS}contacts/erase.tsx`;
    expect(importersOf([{ path, text }])).toEqual([`${path} imports ${SCREENS}contacts.screen.tsx`]);
    expect(importersOf([{ path: `${ADMIN}/routes/organization.ts`, text }])).toEqual([]);
  });
});
