import { TEMPLATE } from '../matrix/fixtures.ts';

/** The largest event template of this many bytes. It has a function of its own because its parts refer to each other, which no schema says. */
export function largestTemplate(bytes: number): string {
  // Grows all parts until the template no longer fits; 1 is the most that the schema allows.
  for (let share = 1; share > 0.001; share *= 0.85) {
    const body = template(share);
    if (Buffer.byteLength(body) <= bytes) return body;
  }
  return template(0);
}

const DAY_MS = 86_400_000;
const FIRST = Date.parse('2099-01-01T00:00:00Z');

function template(share: number): string {
  const some = <T>(most: number, make: (i: number) => T): T[] =>
    Array.from({ length: Math.max(1, Math.floor(most * share)) }, (_, i) => make(i));
  const days = some(366, (i) => ({
    code: `d${i}`,
    name: '日'.repeat(50),
    date: new Date(FIRST + i * DAY_MS).toISOString().slice(0, 10),
    opens_at: null,
    closes_at: null,
    capacity: 1,
  }));
  const attendee_types = some(200, (i) => ({
    code: `t${i}`,
    name: '型'.repeat(50),
    price_minor: 1,
    capacity: null,
    days: days.map(({ code }) => code),
    pass_days: null,
    approval: false,
    visible: true,
  }));
  const types = attendee_types.map(({ code }) => code);
  const products = some(200, (i) => ({
    code: `o${i}`,
    name: '品'.repeat(50),
    description: null,
    price_minor: 1,
    options: some(50, (k) => ({ code: `s${k}`, name: '型'.repeat(20), capacity: 1 })),
    capacity: null,
    per: 'attendee',
    max: 1,
    required: false,
    attendee_types: types,
    days: days.map(({ code }) => code),
    on_sale: null,
    visible: true,
  }));
  const sold = products.map(({ code }) => code);
  const quotas = some(100, (i) => ({
    code: `l${i}`,
    name: '限'.repeat(50),
    capacity: 1,
    attendee_types: types,
    days: days.map(({ code }) => code),
    products: sold,
  }));
  const questions = some(200, (i) => ({
    code: `q${i}`,
    label: '問'.repeat(50),
    kind: 'choices',
    required: false,
    options: some(200, (k) => `${k}${'選'.repeat(20)}`),
    attendee_types: types,
  }));
  const check_in_points = some(500, (i) => ({
    code: `p${i}`,
    name: '門'.repeat(50),
    kind: 'entry',
    policy: {
      attendee_types: types,
      groups: null,
      days: days.map(({ code }) => code),
      products: sold,
      opens_minutes_before: 0,
      closes_minutes_after: 0,
      limit: 'once_per_day',
      cooldown_seconds: 0,
      requires: null,
      capacity: null,
      leaves: null,
    },
  }));
  return JSON.stringify({
    template: { ...TEMPLATE, days, attendee_types, products, quotas, questions, check_in_points },
  });
}
