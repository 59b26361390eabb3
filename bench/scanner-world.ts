import { randomBytes } from 'node:crypto';
import { acrossOrganizationsFind, setPlan } from '../server/src/areas/access/index.ts';
import { newId, toUuid } from '../server/src/common/ids.ts';
import { hashSecret } from '../server/src/road/gate/authenticate.ts';
import { sql } from '../server/src/store/sql.ts';
import { fill } from './lists-fill.ts';
import { type Bench, whole } from './support.ts';
import { type BenchTurnout, call } from './turnout.ts';

const HOUR = 3_600_000;

export interface DoorWorld {
  /** With this a device is paired. */
  pairingCode: string;
  /** Codes of valid tickets. */
  codes: string[];
  /** How many check-ins are on record. */
  recorded(): Promise<number>;
}

/** An event of this many people with a gate that is open now. */
export async function openDoor(bench: Bench, turnout: BenchTurnout, people: number, scans: number): Promise<DoorWorld> {
  const { id: org, key } = await turnout.org('door');
  await turnout.system(async (tx) => {
    await setPlan(tx, await acrossOrganizationsFind(tx, 'door'), undefined, [['attendees_per_event', '2000000']]);
  });
  const make = async (path: string, body: object) =>
    toUuid((await call<{ id: string }>(turnout.url, key, 'POST', `/v1/events${path}`, body)).id);
  const event = await make('', { code: 'fair', name: 'Fair', timezone: 'UTC' });
  const now = Date.now();
  const day = await make('/fair/days', {
    code: 'd1',
    date: new Date(now).toISOString().slice(0, 10),
    opens_at: new Date(now - 12 * HOUR).toISOString(),
    closes_at: new Date(now + 12 * HOUR).toISOString(),
  });
  const type = await make('/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await make('/fair/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await call(turnout.url, key, 'POST', '/v1/events/fair/publish');
  const at = performance.now();
  await fill({ url: turnout.adminUrl, org, event, days: [day], types: [type], attendees: people });
  bench.say(`${whole(people)} people after ${Math.round((performance.now() - at) / 1000)} s`);
  return turnout.system(async (tx) => {
    const letters = randomBytes(4).toString('hex').toUpperCase();
    const made = new Date();
    await tx.run(sql`
      insert into pairing_codes (org_id, id, event_id, code_hash, name, expires_at, created_at)
      values (${org}, ${newId(made)}, ${event}, ${hashSecret(letters)}, 'Bench', ${new Date(now + HOUR)}, ${made})`);
    const rows = await tx.all<{ code: string }>(sql`
      select code from tickets where event_id = ${event} and status = 'valid' order by md5(code) limit ${scans}`);
    return {
      pairingCode: letters,
      codes: rows.map(({ code }) => code),
      recorded: () =>
        turnout.system(
          async (system) =>
            (await system.one<{ n: number }>(sql`select count(*)::int as n from checkins where event_id = ${event}`)).n,
        ),
    };
  });
}
