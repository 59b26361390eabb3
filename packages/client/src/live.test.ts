import type { LiveSnapshot } from '@turnout/contract';
import { expect, test } from 'vitest';
import { type LiveSource, type LiveState, liveAddress, watchLive } from './live.ts';

class Source implements LiveSource {
  readyState = 0;
  closed = false;
  readonly #listeners = new Map<string, (event: { data?: unknown }) => void>();
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void {
    this.#listeners.set(type, listener);
  }
  close(): void {
    this.closed = true;
  }
  say(type: string, data?: unknown): void {
    this.#listeners.get(type)?.({ data: JSON.stringify(data) });
  }
}

const EMPTY: LiveSnapshot = {
  as_of: '2027-06-12T09:00:00.000000Z',
  check_in_points: [{ check_in_point: 'gate', kind: 'entry', admissions: 1, refusals: 0, inside: 1 }],
  days: [],
  attendee_types: [],
  reasons: [],
  minutes: [{ minute: '2027-06-12T08:30:00Z', admissions: 1 }],
  check_ins: [],
  devices: null,
};

function watched() {
  let source!: Source;
  const shown: LiveSnapshot[] = [];
  const states: LiveState[] = [];
  const stop = watchLive(
    { org: 'acme', event: 'fair' },
    { shows: (one) => shown.push(one), state: (one) => states.push(one) },
    (url) => {
      source = new Source(url);
      return source;
    },
  );
  return { source, shown, states, stop };
}

test('the newest check-in comes first, whatever number of decimals the times have', () => {
  const { source, shown, stop } = watched();
  const checkIn = (id: string, recorded_at: string) => ({ id, recorded_at });
  source.say('snapshot', { ...EMPTY, check_ins: [checkIn('A', '2027-06-12T09:00:05.12Z')] });
  source.say('change', {
    as_of: '2027-06-12T09:00:06.000000Z',
    check_ins: [
      checkIn('B', '2027-06-12T09:00:05.125Z'),
      checkIn('C', '2027-06-12T09:00:06Z'),
      checkIn('D', '2027-06-12T09:00:06.000001Z'),
    ],
  });
  expect(shown[1]!.check_ins.map((one) => one.id)).toEqual(['D', 'C', 'B', 'A']);
  stop();
});

test('changes are put on top of the snapshot: changed entries replace, new ones are added, old minutes go', () => {
  const { source, shown, states, stop } = watched();
  source.say('snapshot', EMPTY);
  source.say('change', {
    as_of: '2027-06-12T09:31:00.000000Z',
    check_in_points: [{ check_in_point: 'gate', kind: 'entry', admissions: 2, refusals: 0, inside: 2 }],
    minutes: [{ minute: '2027-06-12T09:31:00Z', admissions: 1 }],
    reasons: [{ reason: 'wrong_day', refusals: 3 }],
  });
  expect(shown).toHaveLength(2);
  expect(shown[1]).toEqual({
    ...EMPTY,
    as_of: '2027-06-12T09:31:00.000000Z',
    check_in_points: [{ check_in_point: 'gate', kind: 'entry', admissions: 2, refusals: 0, inside: 2 }],
    minutes: [{ minute: '2027-06-12T09:31:00Z', admissions: 1 }],
    reasons: [{ reason: 'wrong_day', refusals: 3 }],
  });
  expect(states).toEqual(['connecting', 'live', 'live']);
  stop();
  expect(source.closed).toBe(true);
});

test('a lost connection begins again with a snapshot, and a refused one is told', () => {
  const { source, shown, states } = watched();
  source.say('snapshot', EMPTY);
  source.say('error');
  source.say('change', { as_of: EMPTY.as_of, reasons: [{ reason: 'wrong_day', refusals: 3 }] });
  expect(shown).toHaveLength(1);
  source.say('snapshot', EMPTY);
  source.readyState = 2;
  source.say('error');
  expect(states).toEqual(['connecting', 'live', 'lost', 'live', 'ended']);
});

test('what stands in the address cannot lead elsewhere', () => {
  expect(liveAddress('a/b', '../x?y')).toBe('/app/api/a%2Fb/events/..%2Fx%3Fy/live');
});
