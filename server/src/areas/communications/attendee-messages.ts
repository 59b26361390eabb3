import type { AttendeeMessage, MessageKind, RecipientStatus, SkipReason } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { newestRecorded, type Paging } from '../../road/read/page.ts';
import { sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import { eventGroup, limitOf, registrantInReach } from '../groups/index.ts';
import { COPY, TEST } from './mails.ts';
import { visible } from './queries.ts';

interface MessageRow {
  id: Id;
  kind: MessageKind;
  about: 'attendee' | 'registration';
  subject: string | null;
  email: string | null;
  status: RecipientStatus;
  reason: SkipReason | null;
  error: string | null;
  recorded_at: string;
  settled_at: string | null;
}

/**
 * The mails about one attendee, newest first: those to the attendee, those about the registration, and communications, of which also
 * those are listed for which no mail was sent. A caller limited to a group sees mails to the registrant only if it sees the registrant.
 */
export async function listAttendeeMessages(
  work: Work,
  event: EventRow,
  found: { id: Id; registration_id: Id },
  query: Paging,
) {
  const { tx, org } = work;
  const list = newestRecorded(['attendee-messages', found.id], query, 'm');
  const seen = registrantInReach(limitOf(work.caller), 'r', eventGroup(event));
  const mail = sql`m.id, m.kind, null as subject, nullif(m.recipient, 'erased') as email,
    case m.status when 'withdrawn' then 'skipped' else m.status end as status,
    case m.status when 'withdrawn' then 'cancelled' end as reason, m.last_error as error, m.created_at as recorded_at, m.sent_at as settled_at`;
  const mails = sql`m.org_id = ${org} and m.event_id = ${event.id} and m.kind not in (${COPY}, ${TEST})`;
  const rows = await tx.all<MessageRow>(sql`
    with r as materialized (select r.id, ${seen} as seen from registrations r where r.org_id = ${org} and r.id = ${found.registration_id})
    select m.* from (
      select ${mail}, 'attendee' as about from mails m where ${mails} and m.object_id = ${found.id}
      union all
      select ${mail}, 'registration' from mails m where ${mails} and m.object_id = ${found.registration_id} and (select r.seen from r)
      union all
      select c.id, ${COPY}, c.subject,
        case when (select r.seen from r) or lower(p.email) = lower(a.email) then p.email end,
        case p.status when 'pending' then 'queued' else p.status end, p.reason, p.error,
        coalesce(c.started_at, c.created_at), p.settled_at, 'attendee'
      from communication_recipients p
      join communications c on c.org_id = p.org_id and c.id = p.communication_id
      join attendees a on a.org_id = p.org_id and a.id = p.attendee_id
      where p.org_id = ${org} and p.attendee_id = ${found.id} and ${visible(work)}) m
    where ${list.where} ${list.order}`);
  return list.page(
    rows,
    ({ id, recorded_at, ...message }): AttendeeMessage => ({ id: toUlid(id), ...message, created_at: recorded_at }),
  );
}
