import { expect, test } from 'vitest';
import { screenAt, sectionsFor } from './event-sections.ts';

const everything = sectionsFor(() => true);
const at = (path: string) => {
  const found = screenAt(everything, `/acme/events/fair${path}`);
  return found === null ? null : `${found.section.id}: ${found.screen.id}`;
};

test.each([
  ['', 'overview: overview'],
  ['/', 'overview: overview'],
  ['/people', 'people: people'],
  ['/people/01JCQ8Z7M4T3V9R1X5K2N6P8DA', 'people: people'],
  ['/people/registrations/new', 'people: registrations'],
  ['/page/questions', 'page: questions'],
  ['/tickets', 'tickets: types'],
  ['/tickets/days', 'tickets: days'],
  ['/check-in/points/main', 'checkIn: points'],
  ['/messages/new', 'messages: messages'],
])('%s belongs to %s', (path, expected) => expect(at(path)).toBe(expected));

test('an address that nobody knows belongs to no section', () => expect(at('/nowhere')).toBeNull());

test('a section without a screen for this member is left out', () => {
  const volunteer = sectionsFor((one) => one === 'events.read' || one === 'door.scan');
  expect(volunteer.map(({ id }) => id)).toEqual(['overview', 'page', 'tickets', 'checkIn', 'reports']);
  expect(volunteer.find(({ id }) => id === 'checkIn')!.screens[0]!.id).toBe('scan');
});
