import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchScanOf } from '../engine/batch.ts';
import { isEvent } from '../store/events.ts';
import { isKept, isScan } from '../store/scans.ts';
import { codeIn } from './pairing-code.ts';
import { settingsIn } from './settings.ts';

/** Whatever somebody else, another version or a broken disk has left on the device, the app starts. */

describe('an address', () => {
  test('of a code for pairing is read, and every other one is none', () => {
    expect(codeIn('https://turnout.example/scan#pair=ABCD-EFGH')).toBe('ABCD-EFGH');
    expect(codeIn('#pair=ABCD%2DEFGH&more')).toBe('ABCD-EFGH');
    expect(codeIn(' abcd-efgh ')).toBe('abcd-efgh');
    for (const text of ['#pair=%E0%A4%A', '#pair=%', '#pair=', '#pair=%00%00%00%00', '#other', '', '#pair=a b c d']) {
      expect([text, codeIn(text)]).toEqual([text, null]);
    }
  });

  test('of any other kind does no harm', () => {
    const parts = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('%', '%E0%A4%A', '#pair=', '&', '='));
    fc.assert(
      fc.property(fc.array(parts), (all) => {
        for (const text of [all.join(''), `#pair=${all.join('')}`]) expect(codeIn(text) ?? 'none').toMatch(/^[\w-]+$/);
      }),
    );
  });
});

describe('stored choices', () => {
  const KEYS = ['hand', 'sound', 'vibration', 'open', 'kiosk', 'testing', 'read'] as const;
  const shapeOf = ({ testing, read, ...rest }: ReturnType<typeof settingsIn>) =>
    [...testing, ...read].every((one) => typeof one === 'string') &&
    ['right', 'left'].includes(rest.hand) &&
    typeof rest.sound === 'boolean' &&
    typeof rest.vibration === 'boolean' &&
    [rest.open, rest.kiosk].every((one) => one === null || typeof one === 'string');

  test('are read as they were stored', () => {
    const chosen = { ...settingsIn(null), hand: 'left' as const, sound: false, open: 'a', testing: ['b'], read: ['c'] };
    expect(settingsIn(JSON.stringify(chosen))).toEqual(chosen);
  });

  test('of any shape give choices of the right one', () => {
    const anything = fc.jsonValue();
    const wrong = fc.record(Object.fromEntries(KEYS.map((key) => [key, anything])), { requiredKeys: [] });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          anything.map((one) => JSON.stringify(one)),
          wrong.map((one) => JSON.stringify(one)),
        ),
        (text) => {
          expect(shapeOf(settingsIn(text))).toBe(true);
        },
      ),
    );
    expect(settingsIn('{"testing":5,"read":"no","open":{}}')).toEqual(settingsIn(null));
  });
});

describe('a stored scan', () => {
  const SCAN = { ...{ device: 'd', client_uuid: 'u', n: 1, scanned_at: 5, point: 'gate', test: false }, code: 'C' };
  const ROW = { ...SCAN, names: ['Ada'], ticket: null };

  test('counts if it can be sent', () => {
    expect(isScan(ROW)).toBe(true);
    const { code: _, ...other } = ROW;
    expect(isScan({ ...other, ticket_id: 't', people: ['p'], offline_result: 'accepted', later: 'unknown' })).toBe(
      true,
    );
    expect([isKept(ROW), isKept({ ...ROW, error: { code: 'c', message: 'm' } })]).toEqual([false, true]);
  });

  test('of any other shape is passed over, and what counts can always be sent', () => {
    for (const key of Object.keys(ROW).filter((name) => name !== 'ticket')) {
      expect([key, isScan({ ...ROW, [key]: undefined })]).toEqual([key, false]);
    }
    expect(isScan({ ...ROW, scanned_at: 1e300 })).toBe(false);
    expect([isScan({ ...ROW, format: 1 }), isScan({ ...ROW, format: 2 })]).toEqual([true, false]);
    const parts = fc.record(Object.fromEntries(Object.keys(ROW).map((key) => [key, fc.anything()])), {
      requiredKeys: [],
    });
    const rows = fc.oneof(
      fc.anything(),
      parts.map((one) => ({ ...ROW, ...one })),
      fc.double().map((scanned_at) => ({ ...ROW, scanned_at })),
    );
    fc.assert(
      fc.property(rows, (row) => {
        if (isScan(row)) expect(JSON.stringify(batchScanOf(row))).toContain('scanned_at');
        expect(isKept(row)).toBe(false);
      }),
    );
  });
});

describe('a stored event', () => {
  const EVENT = {
    id: 'd',
    name: 'Gate',
    token: 't',
    paired_at: 5,
    point: null,
    event: { id: 'e', name: 'Fair', timezone: 'Europe/Berlin' },
  };

  test('counts if it can be opened', () => {
    expect(isEvent(EVENT)).toBe(true);
    expect(isEvent({ ...EVENT, point: 'gate', later: 'a field of another version' })).toBe(true);
  });

  test('with a part of another shape does not', () => {
    const without = <T extends object>(of: T, key: keyof T) =>
      Object.fromEntries(Object.entries(of).filter(([name]) => name !== key));
    for (const key of Object.keys(EVENT) as (keyof typeof EVENT)[])
      expect([key, isEvent(without(EVENT, key))]).toEqual([key, false]);
    expect(isEvent({ ...EVENT, event: { ...EVENT.event, timezone: 5 } })).toBe(false);
    expect(isEvent({ ...EVENT, format: 2 })).toBe(false);
    fc.assert(
      fc.property(fc.anything(), (row) => {
        expect(isEvent(row)).toBe(false);
      }),
    );
  });
});
