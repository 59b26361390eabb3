import { describe, expect, test } from 'vitest';
import { daysOf, eventOf, type PlainValues, typesOf } from './plain-values.ts';

const typed = (more: Partial<PlainValues> = {}): PlainValues => ({
  ...{ name: ' Fair ', first_day: '2031-06-14', last_day: '', opens: '', closes: '' },
  ...{ where: 'place' as const, venue: '', price: 'free' as const, currency: 'EUR', timezone: 'Europe/Berlin' },
  ...{ code: '', group: '', test: false },
  ...more,
});

describe('a new event', () => {
  test('sends only what was filled in', () => {
    expect(eventOf(typed(), 'Online')).toEqual({ name: 'Fair', timezone: 'Europe/Berlin' });
    expect(eventOf(typed({ venue: ' Hall ', code: 'fair', group: 'club', test: true }), 'Online')).toEqual({
      ...{ name: 'Fair', timezone: 'Europe/Berlin', venue: 'Hall', code: 'fair', group: 'club', test: true },
    });
  });
  test('that is online has that for a place, whatever was typed as one', () => {
    expect(eventOf(typed({ where: 'online', venue: 'Hall' }), 'Online').venue).toBe('Online');
  });
  test('names its currency only if people pay', () => {
    expect(eventOf(typed(), 'Online')).not.toHaveProperty('currency');
    expect(eventOf(typed({ price: 'paid', currency: 'CHF' }), 'Online').currency).toBe('CHF');
  });
  test('has a type at once if it is free', () => {
    expect(typesOf(typed(), 'Standard')).toEqual([{ name: 'Standard' }]);
    expect(typesOf(typed({ price: 'paid' }), 'Standard')).toEqual([]);
  });
});

describe('its days', () => {
  const shown = (more: Partial<PlainValues>) =>
    daysOf(typed(more)).map(({ date, opens_at, closes_at }) => [date, opens_at, closes_at]);
  test('are one without a last day, and all dates up to it otherwise', () => {
    expect(shown({})).toEqual([['2031-06-14', null, null]]);
    expect(shown({ last_day: '2031-06-14' })).toHaveLength(1);
    expect(shown({ last_day: '2031-06-16' }).map(([date]) => date)).toEqual(['2031-06-14', '2031-06-15', '2031-06-16']);
  });
  test('open and close by the clocks of the time zone, past midnight too', () => {
    expect(shown({ opens: '19:00', closes: '02:00' })).toEqual([
      ['2031-06-14', '2031-06-14T17:00:00.000Z', '2031-06-15T00:00:00.000Z'],
    ]);
  });
});
