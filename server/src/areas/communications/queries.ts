import type { Communication, CommunicationKind, CommunicationStatus, RegistrationStatus } from '@turnout/contract';
import { type Id, parseRef, toUlid, ulidOrNull } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { type Reach, reference } from '../../road/request/reference.ts';
import { every, type Sql, sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import type { EventRow } from '../events/index.ts';
import { inReach } from '../groups/index.ts';

export interface AudienceColumns {
  attendee_type_ids: Id[] | null;
  day_ids: Id[] | null;
  group_ids: Id[] | null;
  statuses: RegistrationStatus[];
  checked_in: boolean | null;
}

/** A communication with its audience, without what only its API object shows. */
export interface Addressed extends AudienceColumns {
  id: Id;
  event_id: Id;
  event_test: boolean;
  event_group_id: Id | null;
  group_id: Id | null;
  test: boolean;
  kind: CommunicationKind;
  status: CommunicationStatus;
  subject: string;
  text: string;
}

export interface CommunicationRow extends Addressed {
  group_code: string | null;
  attendee_types: string[] | null;
  days: string[] | null;
  groups: string[] | null;
  send_at: string | null;
  job_id: Id | null;
  started_at: string | null;
  finished_at: string | null;
  counts: Communication['counts'];
  created_at: string;
  updated_at: string;
}

const codesOf = (table: Sql, ids: Sql): Sql => sql`
  case when ${ids} is not null then array(
    select t.code from ${table} t where t.org_id = c.org_id and t.id = any(${ids}) order by t.code) end`;

/**
 * Whether all mails are settled. It is computed from the recipients, so a communication is `sent` as soon as its last mail is
 * settled; the schedule stores that later (schedule.ts).
 */
const OVER = sql`c.status = 'sending' and c.queued_at is not null and (n.counts->>'queued')::int = 0`;

const ADDRESSED = sql`c.id, c.event_id, e.test as event_test, e.group_id as event_group_id, c.group_id, c.test, c.kind, c.subject, c.text, c.attendee_type_ids,
  c.day_ids, c.group_ids, c.statuses, c.checked_in`;
const FROM = sql`communications c join events e on e.org_id = c.org_id and e.id = c.event_id`;
const PEOPLE = sql`communication_recipients p where p.org_id = c.org_id and p.communication_id = c.id`;

export const communications = (org: Id, where: Sql): Sql => sql`
  select ${ADDRESSED}, g.code as group_code, case when ${OVER} then 'sent' else c.status end as status,
    ${codesOf(sql`attendee_types`, sql`c.attendee_type_ids`)} as attendee_types, ${codesOf(sql`days`, sql`c.day_ids`)} as days,
    ${codesOf(sql`groups`, sql`c.group_ids`)} as groups,
    c.send_at, c.job_id, c.started_at, c.created_at, greatest(c.updated_at, n.settled_at) as updated_at,
    coalesce(c.counts, n.counts) as counts,
    case when ${OVER} then coalesce(n.settled_at, c.queued_at) else c.finished_at end as finished_at
  from ${FROM}
  left join groups g on g.org_id = c.org_id and g.id = c.group_id
  cross join lateral (
    select jsonb_build_object('recipients', count(*), 'queued', count(*) filter (where p.status in ('pending', 'queued')),
      'sent', count(*) filter (where p.status = 'sent'), 'failed', count(*) filter (where p.status = 'failed'),
      'skipped', count(*) filter (where p.status = 'skipped')) as counts, max(p.settled_at) as settled_at
    from ${PEOPLE} and c.counts is null) n
  where c.org_id = ${org} and ${where}`;

/** Locks the communication, then reads it again, because it may have changed since it was found. */
export async function lock(tx: Tx, org: Id, id: Id): Promise<CommunicationRow | null> {
  await tx.run(sql`select from communications where org_id = ${org} and id = ${id} for update`);
  return tx.maybe<CommunicationRow>(communications(org, sql`c.id = ${id}`));
}

/** The same for the job that sends it, without counting the recipients each time. */
export const lockAddressed = (tx: Tx, org: Id, id: Id): Promise<Addressed | null> =>
  tx.maybe<Addressed>(sql`
    select ${ADDRESSED}, c.status from ${FROM} where c.org_id = ${org} and c.id = ${id} for update of c`);

/** Live keys do not see what test keys created. A key limited to a group sees the communications of its group and below. */
export const visible = ({ caller, mode }: Pick<Reach, 'caller' | 'mode'>): Sql =>
  every([mode === 'live' && sql`not c.test`, caller.group !== null && inReach(caller, sql`c.group_id`)]);

export const aCommunication = reference<CommunicationRow, { event: EventRow }>({
  kind: 'communication',
  byCode: false,
  find: async (reach, ref, { event }) => {
    const { id } = parseRef(ref);
    if (id === null) return null;
    const wanted = sql`c.event_id = ${event.id} and c.id = ${id} and ${visible(reach)}`;
    return reach.tx.maybe<CommunicationRow>(communications(reach.org, wanted));
  },
});

/** A communication that the caller may change: a test key may change only those created in test mode. */
export const ownCommunication = reference<CommunicationRow, { event: EventRow }>({
  ...aCommunication,
  find: async (reach, ref, parents) => {
    const found = await aCommunication.find(reach, ref, parents);
    if (found !== null && reach.mode === 'test' && !found.test) refuse('test_key_live_object');
    return found;
  },
});

export const communicationShape = (row: CommunicationRow): Communication => ({
  id: toUlid(row.id),
  event_id: toUlid(row.event_id),
  group: row.group_code,
  test: row.test,
  kind: row.kind,
  status: row.status,
  subject: row.subject,
  text: row.text,
  audience: {
    attendee_types: row.attendee_types,
    days: row.days,
    groups: row.groups,
    statuses: row.statuses,
    checked_in: row.checked_in,
  },
  send_at: row.send_at,
  counts: row.counts,
  progress: {
    done: row.counts.recipients - row.counts.queued,
    total: row.started_at === null ? null : row.counts.recipients,
  },
  job_id: ulidOrNull(row.job_id),
  started_at: row.started_at,
  finished_at: row.finished_at,
  ...stamps(row),
});
