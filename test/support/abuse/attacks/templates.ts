import { TEMPLATE } from '../../matrix/fixtures.ts';
import { largestTemplate } from '../largest-template.ts';
import { type Ground, make, newCode } from './attack.ts';
import { settled } from './jobs.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.parse('2099-01-01T00:00:00Z');

async function fromTemplate(ground: Ground, template: object): Promise<string> {
  const code = newCode();
  await make(ground, 'POST', '/event-templates/imports', { template, event: { code } });
  await settled(ground);
  await make(ground, 'POST', `/events/${code}/publish`);
  return code;
}

/** An event of many days, to which people can be registered. */
export function longEvent(ground: Ground, count: number, event: object): Promise<string> {
  const days = Array.from({ length: count }, (_, i) => ({
    code: `d${i}`,
    date: new Date(FIRST + i * DAY_MS).toISOString().slice(0, 10),
    ...{ name: null, opens_at: null, closes_at: null, capacity: null },
  }));
  const adult = { code: 'adult', name: 'Adult', price_minor: 0, capacity: null, days: null, pass_days: null };
  return fromTemplate(ground, {
    ...TEMPLATE,
    event: { ...TEMPLATE.event, ...event },
    days,
    attendee_types: [{ ...adult, approval: false, visible: true }],
  });
}

/** An event of everything that a template of this many bytes can hold: types × questions × points × days. */
export function largestEvent(ground: Ground, bytes: number): Promise<string> {
  return fromTemplate(ground, (JSON.parse(largestTemplate(bytes)) as { template: object }).template);
}
