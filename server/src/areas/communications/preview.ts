import type {
  CommunicationPreview,
  CommunicationPreviewOf,
  CommunicationTest,
  CommunicationTested,
  SkipReason,
} from '@turnout/contract';
import { type Id, parseRef, ulidOrNull } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { inBody, reference } from '../../road/request/reference.ts';
import { every, sql } from '../../store/sql.ts';
import { attendeeInReach, limitOf } from '../groups/index.ts';
import { audienceOf } from './audience.ts';
import { renderMessage } from './letter.ts';
import { queueMessages, TEST, type TestData } from './mails.ts';
import type { CommunicationRow } from './queries.ts';
import { countTestMails } from './test-sends.ts';
import { hashOf, linkOf } from './unsubscribe.ts';
import { loadRecipients, sampleRecipient, settingOf, valuesOf } from './values.ts';

/** An attendee of the communication's event and mode whom the caller may see. */
const anAttendee = reference<{ id: Id }, { communication: CommunicationRow }>({
  kind: 'attendee',
  byCode: false,
  find: async ({ tx, org, caller }, ref, { communication }) => {
    const { id } = parseRef(ref);
    if (id === null) return null;
    return tx.maybe<{ id: Id }>(sql`
      select a.id from attendees a where a.org_id = ${org} and a.event_id = ${communication.event_id} and a.id = ${id}
        and ${every([sql`a.test = ${communication.test}`, attendeeInReach(limitOf(caller), 'a')])}`);
  },
});

const named = async (work: Work, communication: CommunicationRow, ref: string | undefined): Promise<Id | null> =>
  ref === undefined ? null : (await inBody(work, anAttendee, ref, 'attendee', { communication })).id;

/** The message as one recipient would get it, and how many it would reach now. Its link to unsubscribe belongs to nobody. */
export async function preview(
  work: Work,
  row: CommunicationRow,
  body: CommunicationPreviewOf,
): Promise<CommunicationPreview> {
  const { tx, org, links } = work;
  const audience = audienceOf(org, row);
  const attendee = (await named(work, row, body.attendee)) ?? (await firstOf(work, row));
  const setting = (await settingOf(tx, org, row.event_id))!;
  const recipient =
    attendee === null
      ? undefined
      : (await loadRecipients(tx, org, [attendee], limitOf(work.caller).group)).get(attendee);
  const { hash } = await tx.one<{ hash: Buffer }>(sql`select ${hashOf(org, '')} as hash`);
  const from = { org, communication: row.id, event: row.event_id, address: hash };
  const words = renderMessage(row, setting, {
    values: valuesOf(recipient ?? (await sampleRecipient(tx, org, row.event_id)), setting),
    unsubscribe: row.kind === 'service' ? null : linkOf(links, tx.clock.now(), from),
    test: false,
  });
  const counts = await tx.all<{ reason: SkipReason | null; people: number }>(sql`
    select reason, count(*)::int as people from (${audience}) reached group by reason order by reason`);
  return {
    ...words,
    attendee_id: ulidOrNull(recipient?.id ?? null),
    recipients: counts.reduce((sum, { people }) => sum + people, 0),
    skipped: counts.flatMap(({ reason, people }) => (reason === null ? [] : [{ reason, people }])),
  };
}

async function firstOf({ tx, org }: Work, row: CommunicationRow): Promise<Id | null> {
  const first = await tx.maybe<{ attendee_id: Id }>(sql`
    select attendee_id from (${audienceOf(org, row)}) reached order by reason is not null, attendee_id limit 1`);
  return first?.attendee_id ?? null;
}

/** Sends the message, marked as a test, to the named addresses and nobody else. */
export async function sendTest(
  work: Work,
  row: CommunicationRow,
  body: CommunicationTest,
): Promise<CommunicationTested> {
  const { tx, org } = work;
  const attendee = await named(work, row, body.attendee);
  work.changed({
    kind: 'communication',
    id: row.id,
    event: row.event_id,
    group: row.group_id,
    changes: { addresses: body.to.length, attendee: ulidOrNull(attendee) },
  });
  if (row.test || row.event_test) {
    return { recipients: body.to.map((email) => ({ email, status: 'skipped', reason: 'test' })) };
  }
  await countTestMails(tx, org, body.to.length);
  const { group } = limitOf(work.caller);
  const data: TestData = {
    communication: row.id,
    attendee,
    group,
    kind: row.kind,
    subject: row.subject,
    text: row.text,
  };
  queueMessages(
    tx,
    org,
    row,
    body.to.map((to) => ({ kind: TEST, to, toName: null, data })),
  );
  return { recipients: body.to.map((email) => ({ email, status: 'queued', reason: null })) };
}
