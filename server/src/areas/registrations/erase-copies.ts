import { DAY } from '../../clock.ts';
import { type Id, toUlid } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import type { KeptChanges } from '../../road/write/audited.ts';
import { sql } from '../../store/sql.ts';
import { eraseRecipients } from '../communications/index.ts';
import { type ContactRow, emailKey } from '../contacts/index.ts';
import { expireFiles } from '../jobs/index.ts';
import { eraseEnvelopes } from '../webhooks/index.ts';
import { type ContactShare, eventsOf, firstRegisteredAt } from './contact-share.ts';
import { eraseMails } from './erase-mails.ts';
import { bytesContain, contains } from './erase-sql.ts';
import { forgetAddresses } from './proven-addresses.ts';
import { type ErasedPerson, idsOf, redact } from './redact.ts';

type At = Pick<Work, 'tx' | 'org'>;

/** Erases every copy that was made of the person. Copies are found by the ids of what they were made of. */
export async function eraseCopies(
  { tx, org }: At,
  contact: ContactRow,
  person: ErasedPerson,
  shares: readonly ContactShare[],
): Promise<void> {
  await eraseAudit({ tx, org }, person, shares);
  await redactStoredAnswers({ tx, org }, person, shares);
  await forgetAddresses(tx, org, addressesOf(contact, shares));
  if (shares.length === 0) return;
  await forgetNetworks({ tx, org }, shares);
  await forgetFilterPlaces({ tx, org }, person, shares);
  const since = firstRegisteredAt(shares);
  await redactScanAnswers({ tx, org }, person, shares, since);
  // The outbox comes before the envelopes: a row that the relay takes off the outbox at this moment is an envelope when this is done.
  await redactOutbox({ tx, org }, person);
  await eraseEnvelopes(tx, org, idsOf(person), since);
  // The recipients come before the mails: a message that is being queued at this moment has its mail when this is done.
  await eraseRecipients(tx, org, person.attendees, registrantsOf(shares));
  await eraseMails({ tx, org }, person, shares, since);
  await erasePreviews({ tx, org }, person);
  await expireFiles(tx, org, {
    events: eventsOf(shares),
    test: contact.test,
    groups: await groupsWithCopies({ tx, org }, contact, shares),
  });
}

/** Forgets the networks from which the person sent forms. */
async function forgetNetworks({ tx, org }: At, shares: readonly ContactShare[]): Promise<void> {
  const own = shares.flatMap(({ registration, registrant }) => (registrant === null ? [] : [registration.id]));
  await tx.run(sql`update payment_holds set network = null where org_id = ${org} and registration_id = any(${own})`);
}

/**
 * A filter by answers remembers the name that it came to last (areas/events/answer-filters.ts). If it is the person's, it forgets it.
 * One that is still being written then begins again, and leaves what it wrote before as it is.
 */
async function forgetFilterPlaces(
  { tx, org }: At,
  person: ErasedPerson,
  shares: readonly ContactShare[],
): Promise<void> {
  await tx.run(sql`
    update answer_filters set after_name = null, after_id = null
    where org_id = ${org} and event_id = any(${eventsOf(shares)}) and after_id = any(${[...person.attendees, ...person.former]})`);
}

const addressesOf = (contact: ContactRow, shares: readonly ContactShare[]): string[] =>
  [contact, ...shares.flatMap((one) => one.names)].flatMap(({ email }) => email ?? []);

const registrantsOf = (shares: readonly ContactShare[]): { registration: Id; email_key: string }[] =>
  shares.flatMap(({ registration, registrant, former, names }) => {
    const addresses = [registrant?.email ?? null, ...(former.length === 0 ? [] : names.map(({ email }) => email))];
    const keys = new Set(addresses.map(emailKey));
    return [...keys].flatMap((email_key) => (email_key === null ? [] : { registration: registration.id, email_key }));
  });

const NO_SCAN = sql`action <> 'checkin.recorded'`;

/** What stays of an erased audit row: the objects that it touched, so that it is still found by them. */
const ERASED = sql`jsonb_strip_nulls(jsonb_build_object('erased', true, 'objects', (
  select jsonb_agg(one - 'fields') from jsonb_path_query(changes, '$.objects[*]') as one)))`;

/**
 * Erases the audit rows about the person. Of the rows about their registrations it erases those that mention the person, and those
 * with a typed reason for something that was done to the person.
 */
async function eraseAudit({ tx, org }: At, person: ErasedPerson, shares: readonly ContactShare[]): Promise<void> {
  // Rows of scans hold no data about people and are not in the index by object.
  const erased = sql`update audit_log set changes = ${ERASED} where org_id = ${org} and changes is not null and ${NO_SCAN}`;
  await tx.run(sql`${erased} and object_id = any(${[...idsOf(person), ...shares.flatMap((one) => one.tickets)]})`);
  const registrations = shares.map((one) => one.registration.id);
  const rows = await tx.all<{ id: Id; changes: KeptChanges }>(sql`
    select id, changes from audit_log
    where org_id = ${org} and object_id = any(${registrations}) and changes is not null and ${NO_SCAN}`);
  const own = new Set(idsOf(person).map(toUlid));
  const revealing = rows.filter(
    ({ changes }) =>
      person.isMentioned(JSON.stringify(changes)) ||
      (changes.details?.reason !== undefined && changes.objects?.some((one) => own.has(one.id)) === true),
  );
  if (revealing.length > 0) await tx.run(sql`${erased} and id = any(${revealing.map((row) => row.id)})`);
}

/**
 * Removes the person from answers that are kept for retries. These are answers that hold one of the person's ids, answers of calls
 * that changed something of the person's (the answer to sending a ticket holds an address and no id), and refusals, which may
 * repeat an address that was sent.
 */
async function redactStoredAnswers(
  { tx, org }: At,
  person: ErasedPerson,
  shares: readonly ContactShare[],
): Promise<void> {
  const ids = idsOf(person);
  // The ticket of another attendee of the registration may have been sent to the person's address.
  const acted = [...ids, ...shares.flatMap(({ registration }) => registration.tickets.map((ticket) => ticket.id))];
  const oldest = new Date(tx.clock.now().getTime() - 2 * DAY);
  const rows = await tx.all<{ ctid: string; status: number; body: Buffer }>(sql`
    with calls as materialized (
      select request_id from audit_log
      where org_id = ${org} and object_id = any(${acted}) and id >= ulid_floor(${oldest}) and request_id is not null and ${NO_SCAN})
    select i.ctid::text as ctid, i.status, i.body from idempotency i
    where i.org_id = ${org} and not i.encrypted and i.body is not null
      and ((i.status >= 400 and ${contains(sql`lower(convert_from(i.body, 'UTF8'))`, person.emails)})
        or i.request_id in (select request_id from calls) or ${bytesContain(sql`i.body`, ids.map(toUlid))})
    for update`);
  for (const { ctid, status, body } of rows) {
    const text = body.toString();
    const without = status >= 400 ? withoutMessage(text, person) : JSON.stringify(redact(parsed(text), person));
    if (without === text) continue;
    await tx.run(
      sql`update idempotency set body = ${Buffer.from(without)} where org_id = ${org} and ctid = ${ctid}::tid`,
    );
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return { erased: true };
  }
};

/** Replaces the message of a refusal that mentions the person's address. The error code still says what was refused. */
function withoutMessage(text: string, person: ErasedPerson): string {
  if (!person.isAddressMentioned(text)) return text;
  const { error } = JSON.parse(text) as { error: Record<string, unknown> };
  const { details: _, ...rest } = error;
  return JSON.stringify({
    error: {
      ...rest,
      message: 'The call was refused. The message named a person who was erased since, so it is not kept.',
    },
  });
}

/** Removes the person from stored scan answers. Check-ins have no index by attendee, so those of the events since then are searched. */
async function redactScanAnswers(
  { tx, org }: At,
  person: ErasedPerson,
  shares: readonly ContactShare[],
  since: Date,
): Promise<void> {
  const scans = await tx.all<{ event_id: Id; client_uuid: string; answer: string }>(sql`
    select s.event_id, s.client_uuid, s.answer from scans s where s.org_id = ${org} and (s.event_id, s.client_uuid) in (
      select c.event_id, c.client_uuid from checkins c
      where c.org_id = ${org} and c.event_id = any(${eventsOf(shares)}) and c.test in (true, false) and c.recorded_at >= ${since}
        and c.attendee_id = any(${[...person.attendees, ...person.former]}) and c.client_uuid is not null)`);
  for (const { event_id, client_uuid, answer } of scans) {
    await tx.run(sql`
      update scans set answer = ${JSON.stringify(redact(JSON.parse(answer), person))}
      where org_id = ${org} and event_id = ${event_id} and client_uuid = ${client_uuid} and answer = ${answer}`);
  }
}

async function redactOutbox({ tx, org }: At, person: ErasedPerson): Promise<void> {
  const waiting = await tx.all<{ id: Id; data: string }>(sql`
    select id, data from outbox where org_id = ${org} and ${contains(sql`data`, idsOf(person).map(toUlid))}`);
  for (const { id, data } of waiting) {
    await tx.run(
      sql`update outbox set data = ${JSON.stringify(redact(JSON.parse(data), person))} where org_id = ${org} and id = ${id}`,
    );
  }
}

/** Deletes what previews of imports hold until they are swept: everything of those that have ended, and the person in the others. */
async function erasePreviews({ tx, org }: At, person: ErasedPerson): Promise<void> {
  const over = sql`not exists (
    select from jobs j where j.org_id = i.org_id and j.id = i.job_id and j.status in ('queued', 'running'))`;
  await tx.run(
    sql`delete from import_previews i where i.org_id = ${org} and (i.id = any(${person.attendees}) or ${over})`,
  );
  await tx.run(sql`delete from import_rejects i where i.org_id = ${org} and ${over}`);
}

/**
 * The groups whose export files may hold the person: those the person is in, and those the person left within the day that files
 * are kept. Who left a group is known by the tickets that left its roster.
 */
async function groupsWithCopies({ tx, org }: At, contact: ContactRow, shares: readonly ContactShare[]): Promise<Id[]> {
  const groups = new Set<Id | null>([contact.group_id]);
  for (const { book, registration, attendees } of shares) {
    const ofEvent = book.world.event.group_id;
    groups.add(registration.group_id ?? ofEvent);
    for (const attendee of attendees) groups.add(attendee.group_id ?? registration.group_id ?? ofEvent);
  }
  const codes = shares.flatMap(({ registration, tickets }) =>
    registration.tickets.filter((ticket) => tickets.includes(ticket.id)).map((ticket) => ticket.code),
  );
  const left = await tx.all<{ group_id: Id }>(sql`
    select distinct group_id from roster_removed
    where org_id = ${org} and event_id = any(${eventsOf(shares)}) and at >= ${new Date(tx.clock.now().getTime() - 2 * DAY)}
      and group_id is not null and code_sha256 in (
        select encode(sha256(convert_to(code, 'UTF8')), 'hex') from unnest(${codes}::text[]) as of(code))`);
  for (const { group_id } of left) groups.add(group_id);
  groups.delete(null);
  return [...groups] as Id[];
}
