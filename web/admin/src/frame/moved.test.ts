import { expect, test } from 'vitest';
import { movedAddress } from './moved.ts';

test.each([
  ['/app/acme/events/fair/registrations', '/app/acme/events/fair/people/registrations'],
  ['/app/acme/events/fair/registrations/new', '/app/acme/events/fair/people/registrations/new'],
  ['/app/acme/events/fair/import/platform', '/app/acme/events/fair/people/import/platform'],
  ['/app/acme/events/fair/form', '/app/acme/events/fair/tickets/days'],
  ['/app/acme/events/fair/form/types/', '/app/acme/events/fair/tickets'],
  ['/app/acme/events/fair/door', '/app/acme/events/fair/check-in/scan'],
  ['/app/acme/events/fair/door/points/main', '/app/acme/events/fair/check-in/points/main'],
  ['/app/acme/events/fair/desk', '/app/acme/events/fair/check-in/desk'],
])('%s is now at %s', (before, now) => expect(movedAddress(before)).toBe(now));

test.each([
  '/app/acme/events/fair',
  '/app/acme/events/fair/people',
  '/app/acme/events/fair/doors',
  '/app/acme/events/fair/people/registrations',
  '/app/acme/developers/keys',
  '/app/acme/events/desk',
])('%s has not moved', (path) => expect(movedAddress(path)).toBe(path));
