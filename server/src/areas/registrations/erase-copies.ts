import { DAY } from '../../clock.ts';
import type { KeptChanges } from '../../road/audited.ts';
import type { Work } from '../../road/operation.ts';
import { insertAll, updateAll } from '../../store/bulk.ts';
import { type Id, newId, toUlid } from '../../store/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { eraseRecipients } from '../communications/index.ts';
import { type ContactRow, emailKey } from '../contacts/index.ts';
import { expireFiles } from '../jobs/index.ts';
import { eraseEnvelopes } from '../webhooks/index.ts';
import { type ContactShare, firstRegisteredAt } from './contact-share.ts';
import { type ErasedPerson, idsOf, redact } from './redact.ts';

type At = Pick<Work, 'tx' | 'org'>;

/** Every copy that was made of the person, by the ids of what it was made of. */
export async function eraseCopies(
  { tx, org }: At,
  contact: ContactRow,
  person: ErasedPerson,
  theirs: readonly ContactShare[],
): Promise<void> {
  await eraseAudit({ tx, org }, person, theirs);
  await redactStoredAnswers({ tx, org }, person, theirs);
  if (theirs.length === 0) return;
  const since = firstRegisteredAt(theirs);
  await redactScanAnswers({ tx, org }, person, theirs, since);
  // Before the envelopes: what the relay is taking off the outbox at this moment is one when this is through.
  await redactOutbox({ tx, org }, person);
  await eraseEnvelopes(tx, org, idsOf(person), since);
  // Before the mails: a message that is being queued at this moment has its mail when this is through.
  await eraseRecipients(tx, org, person.attendees, registrantsOf(theirs));
  await eraseMails({ tx, org }, person, theirs, since);
  await erasePreviews({ tx, org }, person);
  await expireFiles(tx, org, {
    events: eventsOf(theirs),
    test: contact.test,
    groups: await groupsWithCopies({ tx, org }, contact, theirs),
  });
}

const eventsOf = (theirs: readonly ContactShare[]): Id[] => [...new Set(theirs.map((one) => one.book.world.event.id))];

const registrantsOf = (theirs: readonly ContactShare[]): { registration: Id; email_key: string }[] =>
  theirs.flatMap(({ registration, registrant }) => {
    const email_key = emailKey(registrant?.email ?? null);
    return email_key === null ? [] : { registration: registration.id, email_key };
  });

/** One of these texts stands in it. */
const contains = (column: Sql, texts: readonly string[]): Sql =>
  sql`exists (select from unnest(${texts}::text[]) as sought(text) where position(sought.text in ${column}) > 0)`;
const bytesContain = (column: Sql, texts: readonly string[]): Sql =>
  sql`exists (select from unnest(${texts}::text[]) as sought(text) where position(convert_to(sought.text, 'UTF8') in ${column}) > 0)`;

const NO_SCAN = sql`action <> 'checkin.recorded'`;

/** What is left says which objects it touched, so that the row is still found by them. */
const ERASED = sql`jsonb_strip_nulls(jsonb_build_object('erased', true, 'objects', (
  select jsonb_agg(one - 'fields') from jsonb_path_query(changes, '$.objects[*]') as one)))`;

/**
 * Rows about the person; and of those about their registrations the ones that name the person, or give a reason which somebody typed
 * for what was done to the person.
 */
async function eraseAudit({ tx, org }: At, person: ErasedPerson, theirs: readonly ContactShare[]): Promise<void> {
  // Rows of scans tell nothing of people, and are left out of the index by object.
  const erased = sql`update audit_log set changes = ${ERASED} where org_id = ${org} and changes is not null and ${NO_SCAN}`;
  await tx.run(sql`${erased} and object_id = any(${[...idsOf(person), ...theirs.flatMap((one) => one.tickets)]})`);
  const registrations = theirs.map((one) => one.registration.id);
  const rows = await tx.all<{ id: Id; changes: KeptChanges }>(sql`
    select id, changes from audit_log
    where org_id = ${org} and object_id = any(${registrations}) and changes is not null and ${NO_SCAN}`);
  const own = new Set(idsOf(person).map(toUlid));
  const telling = rows.filter(
    ({ changes }) =>
      person.isMentioned(JSON.stringify(changes)) ||
      (changes.details?.reason !== undefined && changes.objects?.some((one) => own.has(one.id)) === true),
  );
  if (telling.length > 0) await tx.run(sql`${erased} and id = any(${telling.map((row) => row.id)})`);
}

/**
 * Answers that are kept for retries: those with the person in them, and those of calls that changed something of the person's
 * (where a ticket was sent has no id in it). A refusal may repeat the address that it was asked with.
 */
async function redactStoredAnswers(
  { tx, org }: At,
  person: ErasedPerson,
  theirs: readonly ContactShare[],
): Promise<void> {
  const ids = idsOf(person);
  // The ticket of somebody beside the person may have been sent to the person's address.
  const acted = [...ids, ...theirs.flatMap(({ registration }) => registration.tickets.map((ticket) => ticket.id))];
  const yesterday = new Date(tx.clock.now().getTime() - 2 * DAY);
  const rows = await tx.all<{ ctid: string; status: number; body: Buffer }>(sql`
    with calls as materialized (
      select request_id from audit_log
      where org_id = ${org} and object_id = any(${acted}) and id >= ulid_floor(${yesterday}) and request_id is not null and ${NO_SCAN})
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

/** The code says what was refused; the sentence may go. */
function withoutMessage(text: string, person: ErasedPerson): string {
  if (!person.isAddressMentioned(text)) return text;
  const { error } = JSON.parse(text) as { error: Record<string, unknown> };
  const { details: _, ...rest } = error;
  return JSON.stringify({ error: { ...rest, message: 'Refused; somebody named here was erased since.' } });
}

/** Found by the person's check-ins, among those of the event since: they have no index by person. */
async function redactScanAnswers(
  { tx, org }: At,
  person: ErasedPerson,
  theirs: readonly ContactShare[],
  since: Date,
): Promise<void> {
  const scans = await tx.all<{ event_id: Id; client_uuid: string; answer: string }>(sql`
    select s.event_id, s.client_uuid, s.answer from scans s where s.org_id = ${org} and (s.event_id, s.client_uuid) in (
      select c.event_id, c.client_uuid from checkins c
      where c.org_id = ${org} and c.event_id = any(${eventsOf(theirs)}) and c.test in (true, false) and c.recorded_at >= ${since}
        and c.attendee_id = any(${person.attendees}) and c.client_uuid is not null)`);
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

/**
 * Mails to the person are emptied, and not sent any more: those about the person, about registrations that the contact made,
 * and to that address about others of the same registration, who have another one. Out of mails to others only the person is
 * taken. What the transport kept of either is removed after the commit.
 */
async function eraseMails(
  { tx, org }: At,
  person: ErasedPerson,
  theirs: readonly ContactShare[],
  since: Date,
): Promise<void> {
  const about = sql`m.org_id = ${org} and m.event_id = any(${eventsOf(theirs)}) and m.id >= ulid_floor(${new Date(since.getTime() - DAY)})`;
  const registered = theirs.filter((one) => one.registrant !== null);
  const toThem = theirs.flatMap(({ registration, registrant, attendees: people, names }) => {
    const addresses = new Set(names.flatMap(({ email }) => (email === null ? [] : [email.toLowerCase()])));
    const others = [
      ...registration.attendees.filter((one) => !people.includes(one)),
      ...(registrant === null ? [{ id: registration.id, email: registration.contact.email }] : []),
    ];
    return [...addresses].flatMap((email) =>
      others.filter((one) => one.email?.toLowerCase() !== email).map(({ id }) => ({ id, email })),
    );
  });
  const emptied = await tx.all<ChangedMail>(sql`
    update mails m set recipient = 'erased', recipient_name = null, subject = 'erased', text = null, html = null, data = null,
      attachments = '[]', status = case when m.status = 'queued' then 'failed' else m.status end, last_error = null,
      erased_attempts = m.attempts
    where ${about} and (m.object_id = any(${[...person.attendees, ...registered.map((one) => one.registration.id)]})
      or (m.object_id, lower(m.recipient)) in (
        select * from unnest(${toThem.map((one) => one.id)}::uuid[], ${toThem.map((one) => one.email)}::text[])))
    returning m.id, m.attempts`);
  const others = theirs.flatMap(({ registration }) => [registration.id, ...registration.attendees.map(({ id }) => id)]);
  const shared = await tx.all<ChangedMail & { status: string; data: unknown }>(sql`
    select m.id, m.attempts, m.status, m.data from mails m
    where ${about} and m.object_id = any(${others}) and m.data is not null
      and ${contains(sql`m.data::text`, idsOf(person).map(toUlid))} for update`);
  for (const { id, status, data } of shared) {
    // The tickets of everybody come with the registrant's mail: one that is still to go out needs their codes.
    const without = redact(data, person, { keepCodes: status === 'queued' });
    await tx.run(sql`
      update mails m set data = ${JSON.stringify(without)}, erased_attempts = m.attempts where m.org_id = ${org} and m.id = ${id}`);
  }
  removeSentMails(tx, org, [...emptied, ...shared, ...(await redactMailContents({ tx, org }, person, theirs, about))]);
}

/** What mails of one registration have in common is kept once; answers the mails that say it. */
async function redactMailContents(
  { tx, org }: At,
  person: ErasedPerson,
  theirs: readonly ContactShare[],
  about: Sql,
): Promise<ChangedMail[]> {
  const contents = await tx.all<{ id: Id; data: unknown }>(sql`
    select c.id, c.data from mail_contents c
    where c.org_id = ${org} and c.registration_id = any(${theirs.map((one) => one.registration.id)}) for update`);
  if (contents.length === 0) return [];
  const mails = await tx.all<ChangedMail & { content_id: Id; status: string }>(sql`
    update mails m set erased_attempts = m.attempts
    where ${about} and m.content_id = any(${contents.map((one) => one.id)}) returning m.id, m.attempts, m.content_id, m.status`);
  const waiting = new Set(mails.filter((mail) => mail.status === 'queued').map((mail) => mail.content_id));
  const rows = contents.map(({ id, data }) => ({
    org_id: org,
    id,
    data: redact(data, person, { keepCodes: waiting.has(id) }),
  }));
  updateAll(tx, 'mail_contents', { org_id: 'uuid', id: 'uuid', data: 'jsonb' }, rows);
  return mails;
}

interface ChangedMail {
  id: Id;
  attempts: number;
}

function removeSentMails(tx: Tx, org: Id, mails: readonly ChangedMail[]): void {
  const now = tx.clock.now();
  insertAll(
    tx,
    'files_to_remove',
    { org_id: 'uuid', id: 'uuid', kept_by: 'text', key: 'text' },
    mails
      .filter(({ attempts }) => attempts > 0)
      .map(({ id }) => ({ org_id: org, id: newId(now), kept_by: 'mails', key: toUlid(id) })),
  );
}

/** What previews of imports hold until they are swept: of those that are over everything, of others the person. */
async function erasePreviews({ tx, org }: At, person: ErasedPerson): Promise<void> {
  const over = sql`not exists (
    select from jobs j where j.org_id = i.org_id and j.id = i.job_id and j.status in ('queued', 'running'))`;
  await tx.run(
    sql`delete from import_previews i where i.org_id = ${org} and (i.id = any(${person.attendees}) or ${over})`,
  );
  await tx.run(sql`delete from import_rejects i where i.org_id = ${org} and ${over}`);
}

/** Where the person is, and was within the day that files are kept: moves out of a group are known by the tickets. */
async function groupsWithCopies({ tx, org }: At, contact: ContactRow, theirs: readonly ContactShare[]): Promise<Id[]> {
  const groups = new Set<Id | null>([contact.group_id]);
  for (const { book, registration, attendees: people } of theirs) {
    const ofEvent = book.world.event.group_id;
    groups.add(registration.group_id ?? ofEvent);
    for (const person of people) groups.add(person.group_id ?? registration.group_id ?? ofEvent);
  }
  const codes = theirs.flatMap(({ registration, tickets }) =>
    registration.tickets.filter((ticket) => tickets.includes(ticket.id)).map((ticket) => ticket.code),
  );
  const left = await tx.all<{ group_id: Id }>(sql`
    select distinct group_id from roster_removed
    where org_id = ${org} and event_id = any(${eventsOf(theirs)}) and at >= ${new Date(tx.clock.now().getTime() - 2 * DAY)}
      and group_id is not null and code_sha256 in (
        select encode(sha256(convert_to(code, 'UTF8')), 'hex') from unnest(${codes}::text[]) as of(code))`);
  for (const { group_id } of left) groups.add(group_id);
  groups.delete(null);
  return [...groups] as Id[];
}
