import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { Turnout, type TurnoutOptions } from './index.ts';

/** A real server with an organization, and clients of it. */
export interface World {
  t: TestTurnout;
  key: string;
  turnout: Turnout;
  /** Another client of the same organization. */
  client(options?: Partial<TurnoutOptions>): Turnout;
  /** An event that is open for registration and has a day that is today, a type and a gate. */
  fair(code: string, capacity?: number): Promise<void>;
}

export async function startWorld(): Promise<World> {
  const t = await startTest();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  const key = (await t.key('acme')).secret;
  const client = (options: Partial<TurnoutOptions> = {}) => new Turnout({ key, baseUrl: t.url, ...options });
  const turnout = client();
  return {
    t,
    key,
    turnout,
    client,
    fair: async (code, capacity) => {
      await turnout.events.create({ code, name: `Fair ${code}`, timezone: 'UTC' });
      const at = (hours: number) => new Date(t.clock.now().getTime() + hours * 3_600_000).toISOString();
      const day = { code: 'today', name: 'Today', date: at(0).slice(0, 10), opens_at: at(-1), closes_at: at(12) };
      await turnout.days.create(code, { ...day, capacity });
      await turnout.attendeeTypes.create(code, { code: 'adult', name: 'Adult' });
      await turnout.checkInPoints.create(code, { code: 'gate', name: 'Gate', kind: 'entry' });
      await turnout.events.publish(code);
    },
  };
}

export const person = (number: number) => ({
  attendee_type: 'adult',
  first_name: 'Person',
  last_name: `Number ${number}`,
  email: `person-${number}@example.org`,
  external_id: `crm-${number}`,
});
