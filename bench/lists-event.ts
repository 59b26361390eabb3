import { acrossOrganizationsFind, setPlan } from '../server/src/areas/access/index.ts';
import { type Id, toUuid } from '../server/src/common/ids.ts';
import { sql } from '../server/src/store/sql.ts';
import { EVENT } from './lists-cases.ts';
import { fill } from './lists-fill.ts';
import { type Bench, whole } from './support.ts';
import { type BenchTurnout, call } from './turnout.ts';

/**
 * The organization of the large event, where the data of an earlier run was kept. An event of another size, or one that was not filled
 * to the end, ends the bench.
 */
export async function keptEvent(turnout: BenchTurnout, attendees: number): Promise<Id | null> {
  return turnout.system(async (tx) => {
    const [org] = await tx.all<{ id: Id }>(sql`select id from organizations where code = 'big'`);
    if (org === undefined) return null;
    const { count } = await tx.one<{ count: number }>(
      sql`select count(*)::int as count from attendees where org_id = ${org.id}`,
    );
    if (count !== attendees) throw new Error(`The event that was kept has ${count} people. Remove its folder.`);
    return org.id;
  });
}

/** A published event with so many people, in an organization of its own. Both have the code `big`. */
export async function bigEvent(
  bench: Bench,
  turnout: BenchTurnout,
  attendees: number,
): Promise<{ org: Id; key: string; event: Id }> {
  const { id: org, key } = await turnout.org('big');
  await turnout.system(async (tx) => {
    await setPlan(tx, await acrossOrganizationsFind(tx, 'big'), undefined, [['attendees_per_event', '2000000']]);
  });
  const make = async (path: string, body: object) =>
    toUuid((await call<{ id: string }>(turnout.url, key, 'POST', path, body)).id);
  const event = await make('/v1/events', { code: 'big', name: 'Big' });
  const days = [
    await make(`${EVENT}/days`, { code: 'd1', date: '2027-05-01' }),
    await make(`${EVENT}/days`, { code: 'd2', date: '2027-05-02' }),
  ];
  const types = [
    await make(`${EVENT}/attendee-types`, { code: 'adult', name: 'Adult' }),
    await make(`${EVENT}/attendee-types`, { code: 'child', name: 'Child' }),
  ];
  const options = ['half', 'other', 'some', 'few', 'rare', 'late', 'none'];
  await make(`${EVENT}/questions`, { code: 'diet', label: 'Diet', kind: 'choice', options });
  await make(`${EVENT}/questions`, { code: 'photo', label: 'Photo', kind: 'yes_no' });
  await call(turnout.url, key, 'POST', `${EVENT}/publish`);
  const group = await make('/v1/groups', { code: 'third', name: 'Third' });
  const at = performance.now();
  await fill({ url: turnout.adminUrl, org, event, days, types, group, attendees, answers: true, say: bench.say });
  bench.say(`${whole(attendees)} attendees after ${Math.round((performance.now() - at) / 1000)} s`);
  return { org, key, event };
}
