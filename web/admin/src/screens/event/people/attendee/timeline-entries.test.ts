import type { AuditEntry } from '@turnout/client';
import { describe, expect, test } from 'vitest';
import { actorOf, entriesAbout, isLatest, isNews, newestFirst } from './timeline-entries.ts';

const AT = '2027-06-12T10:00:00.000Z';
const after = (ms: number) => new Date(Date.parse(AT) + ms).toISOString();
const entry = (id: string, action: string, objects: [kind: string, id: string][], more: Partial<AuditEntry> = {}) =>
  ({
    ...{ id, action, at: AT, actor: { kind: 'member', name: 'Olga Owner' } },
    ...{ objects: objects.map(([kind, of]) => ({ kind, id: of })), ...more },
  }) as AuditEntry;

describe('the entries of the log that belong to a person', () => {
  test('what is about somebody else of the registration is left out, what is about all of it is not', () => {
    const all = [
      entry('1', 'attendee.changed', [['attendee', 'ada']]),
      entry('2', 'attendee.changed', [['attendee', 'byron']]),
      entry('3', 'registration.approved', [['registration', 'r1']]),
      entry('4', 'registration.cancelled', [
        ['attendee', 'byron'],
        ['attendee', 'ada'],
      ]),
    ];
    expect(entriesAbout('ada', all).map(({ id }) => id)).toEqual(['1', '3', '4']);
  });
  test('one that is in both lists is told once', () => {
    const one = entry('1', 'registration.approved', [['registration', 'r1']]);
    expect(entriesAbout('ada', [one, { ...one }])).toHaveLength(1);
  });
  test('what is told as a ticket, a payment or a check-in is no news', () => {
    expect(['ticket.issued', 'payment.recorded', 'checkin.undone'].map((action) => isNews({ action }))).toEqual([
      ...[false, false, false],
    ]);
    expect(['attendee.changed', 'registration.cancelled'].every((action) => isNews({ action }))).toBe(true);
  });
});

describe('who did something', () => {
  const voided = { id: 'ticket', at: AT, actions: ['ticket.voided', 'registration.cancelled'] };
  const by = (more: Partial<AuditEntry>, action = 'ticket.voided', of = 'ticket') =>
    actorOf([entry('1', action, [['ticket', of]], more)], voided);
  test('is whom the log names for one of these actions, about this object, at about this time', () => {
    expect(by({})).toBe('Olga Owner');
    expect(by({ at: after(4_000) }, 'registration.cancelled')).toBe('Olga Owner');
  });
  test('is nobody for another action, another object, another time, or what happened by itself', () => {
    expect(by({}, 'ticket.issued')).toBe(undefined);
    expect(by({}, 'ticket.voided', 'another')).toBe(undefined);
    expect(by({ at: after(6_000) })).toBe(undefined);
    expect(by({ actor: { kind: 'system', name: 'Turnout' } as AuditEntry['actor'] })).toBe(undefined);
  });
});

test('a refusal is of interest until somebody is scanned at the same point again', () => {
  const scan = (check_in_point: string, recorded_at: string) => ({ check_in_point, recorded_at });
  const [first, second, elsewhere] = [scan('gate', AT), scan('gate', after(1)), scan('stage', after(2))];
  const all = [first, second, elsewhere];
  expect(all.map((one) => isLatest(one, all))).toEqual([false, true, true]);
});

test('the newest comes first, and what happened at the same moment keeps its order', () => {
  const items = [
    { id: 'ticket', at: AT },
    { id: 'later', at: after(1) },
    { id: 'registered', at: AT },
    { id: 'earlier', at: '2027-06-12T09:59:59.999999Z' },
  ];
  expect(newestFirst(items).map(({ id }) => id)).toEqual(['later', 'ticket', 'registered', 'earlier']);
});
