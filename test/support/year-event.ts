import { expect } from 'vitest';
import { TEMPLATE } from './matrix/fixtures.ts';
import type { TestTurnout } from './turnout.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.parse('2099-01-01T00:00:00Z');

/** A published event of this many days from a template: the most that one request can make of an event. */
export async function yearEvent(
  t: TestTurnout,
  key: string,
  code: string,
  {
    days: count = 366,
    ...more
  }: { days?: number; ticketing?: 'per_person' | 'per_day' | 'shared'; approval?: boolean },
): Promise<string[]> {
  const days = Array.from({ length: count }, (_, i) => ({
    code: `d${i}`,
    name: `Day ${i}`,
    date: new Date(FIRST + i * DAY_MS).toISOString().slice(0, 10),
    opens_at: null,
    closes_at: null,
    capacity: null,
  }));
  const type = { code: 'adult', name: 'Adult', price_minor: 0, capacity: null, days: null, pass_days: null };
  const { approval = false, ticketing = 'per_day' } = more;
  const event = { ...TEMPLATE.event, ticketing, registration: { ...TEMPLATE.event.registration, approval } };
  const attendee_types = [{ ...type, approval: false, visible: true }];
  const template = { ...TEMPLATE, event, days, attendee_types };
  const body = { template, event: { code } };
  const made = await t.call('POST', '/v1/event-templates/imports', { key, body });
  expect(made.status, made.text).toBe(201);
  const published = await t.call('POST', `/v1/events/${code}/publish`, { key });
  expect(published.status, published.text).toBe(200);
  return days.map((day) => day.code);
}

/** So many people who come on all of these days. */
export const people = (count: number, days: readonly string[]) =>
  Array.from({ length: count }, (_, i) => ({
    attendee_type: 'adult',
    first_name: 'Ada',
    last_name: `Person ${i}`,
    days: [...days],
  }));
