import type { CommunicationRecipient, RecipientQuery, RecipientStatus, SkipReason } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { newestFirst } from '../../road/read/page.ts';
import { every, sql } from '../../store/sql.ts';
import { attendeeInReach, limitOf } from '../groups/index.ts';
import type { CommunicationRow } from './queries.ts';

interface RecipientRow {
  /** The attendee's id. */
  id: Id;
  registration_id: Id;
  first_name: string;
  last_name: string;
  email: string | null;
  status: RecipientStatus;
  reason: SkipReason | null;
  error: string | null;
  settled_at: string | null;
}

export async function listRecipients({ tx, org, caller }: Work, row: CommunicationRow, query: RecipientQuery) {
  const list = newestFirst(['recipients', row.id, query.status], query, 'p');
  const rows = await tx.all<RecipientRow>(sql`
    select p.id, a.registration_id, a.first_name, a.last_name, p.email,
      case p.status when 'pending' then 'queued' else p.status end as status, p.reason, p.error, p.settled_at
    from (select r.*, r.attendee_id as id from communication_recipients r) p
    join attendees a on a.org_id = p.org_id and a.id = p.id
    where p.org_id = ${org} and p.communication_id = ${row.id} and ${every([
      query.status !== undefined && sql`p.status = any(${STORED[query.status]})`,
      // Attendees who have moved to another group since are no longer visible to the caller.
      caller.group !== null && attendeeInReach(limitOf(caller), 'a'),
      list.where,
    ])} ${list.order}`);
  return list.page(
    rows,
    ({ id, registration_id, ...recipient }): CommunicationRecipient => ({
      attendee_id: toUlid(id),
      registration_id: toUlid(registration_id),
      ...recipient,
    }),
  );
}

const STORED: Record<RecipientStatus, string[]> = {
  queued: ['pending', 'queued'],
  sent: ['sent'],
  failed: ['failed'],
  skipped: ['skipped'],
};
