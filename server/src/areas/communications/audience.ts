import type { AudienceInput } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { allInBody, type ReferenceToMany } from '../../road/request/reference.ts';
import { every, filters, type Sql, sql } from '../../store/sql.ts';
import { attendeeTypes, days, type EventRow } from '../events/index.ts';
import { aGroup, attendeeInReach, eventGroup, registrantInReach } from '../groups/index.ts';
import type { Addressed, AudienceColumns } from './queries.ts';

export async function readAudience(work: Work, event: EventRow, input: AudienceInput): Promise<AudienceColumns> {
  const find = async <P>(
    declared: ReferenceToMany<P>,
    field: 'attendee_types' | 'days' | 'groups',
    parents: P,
  ): Promise<Id[] | null> => {
    const refs = input[field] ?? null;
    return refs && (await allInBody(work, declared, refs, `audience/${field}`, parents)).map((one) => one.id);
  };
  return {
    attendee_type_ids: await find(attendeeTypes.reference, 'attendee_types', { event }),
    day_ids: await find(days.reference, 'days', { event }),
    group_ids: await find(aGroup, 'groups', {}),
    statuses: input.statuses ?? ['confirmed'],
    checked_in: input.checked_in ?? null,
  };
}

/**
 * Selects the attendees that a communication is for, each with the reason if no mail can go to them. Attendees with an address
 * of their own are written to there, all others at their registrant's. A live communication is for live attendees, a test one
 * for test attendees; neither sends any mail in a test event.
 */
export const audienceOf = (org: Id, row: Addressed): Sql => sql`
  select a.id as attendee_id, coalesce(a.email, r.email) as email, coalesce(a.email_key, r.email_key) as email_key,
    case
      when c.erased_at is not null then 'erased'
      when ${row.test || row.event_test}::boolean then 'test'
      when coalesce(a.email_key, r.email_key) is null then 'no_address'
      when ${row.kind === 'news'}::boolean and exists (
        select from unsubscribed u
        where u.org_id = a.org_id and u.address = address_hash(a.org_id, coalesce(a.email_key, r.email_key))) then 'unsubscribed'
    end as reason
  from attendees a
  ${registrants(org, row)}
  left join contacts c on c.org_id = a.org_id and c.id = a.contact_id
  where a.org_id = ${org} and a.event_id = ${row.event_id} and ${every([
    sql`a.test = ${row.test}`,
    sql`a.status = any(${row.statuses})`,
    filters([
      row.attendee_type_ids !== null && sql`a.attendee_type_id = any(${row.attendee_type_ids})`,
      row.day_ids !== null && sql`a.day_ids && ${row.day_ids}::uuid[]`,
      row.checked_in !== null && sql`(a.checked_in_at is not null) = ${row.checked_in}`,
      row.group_ids !== null && below(org, row, row.group_ids),
    ]),
    row.group_id !== null &&
      attendeeInReach({ org, group: row.group_id }, 'a', eventGroup({ group_id: row.event_group_id })),
  ])}`;

const below = (org: Id, row: Addressed, groups: readonly Id[]): Sql =>
  sql`coalesce(a.group_id, ${row.event_group_id}::uuid) in (
    select g.id from groups g where g.org_id = ${org} and g.path && ${groups}::uuid[])`;

/** A message of a group is sent to a registrant's address only if the registrant is within the group's reach. */
const registrants = (org: Id, row: Addressed): Sql =>
  row.group_id === null
    ? sql`join registrations r on r.org_id = a.org_id and r.id = a.registration_id`
    : sql`left join registrations r on r.org_id = a.org_id and r.id = a.registration_id
        and ${registrantInReach({ org, group: row.group_id }, 'r', eventGroup({ group_id: row.event_group_id }))}`;
