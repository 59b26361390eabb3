import { DAY } from '../../clock.ts';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { insertAll, updateAll } from '../../store/bulk.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type ContactShare, eventsOf } from './contact-share.ts';
import { contains } from './erase-sql.ts';
import { type ErasedPerson, idsOf, redact } from './redact.ts';

type At = Pick<Work, 'tx' | 'org'>;

/**
 * Empties the mails to the person, and does not send them any more. These are mails about the person's attendees, mails about
 * registrations that the person made, and mails to the person's address about others of the same registration who have another
 * address. In mails to others only the person's data is removed. What the transport kept of these mails is removed after the
 * commit.
 */
export async function eraseMails(
  { tx, org }: At,
  person: ErasedPerson,
  shares: readonly ContactShare[],
  since: Date,
): Promise<void> {
  const objects = shares.flatMap(({ registration }) => [
    registration.id,
    ...registration.attendees.map(({ id }) => id),
  ]);
  const about = sql`m.org_id = ${org} and m.event_id = any(${eventsOf(shares)}) and m.object_id = any(${objects})
    and m.id >= ulid_floor(${new Date(since.getTime() - DAY)})`;
  const registered = shares.filter((one) => one.registrant !== null);
  const toPerson = shares.flatMap(({ registration, registrant, attendees, names }) => {
    const addresses = new Set(names.flatMap(({ email }) => (email === null ? [] : [email.toLowerCase()])));
    const others = [
      ...registration.attendees.filter((one) => !attendees.includes(one)),
      ...(registrant === null ? [{ id: registration.id, email: registration.contact.email }] : []),
    ];
    return [...addresses].flatMap((email) =>
      others.filter((one) => one.email?.toLowerCase() !== email).map(({ id }) => ({ id, email })),
    );
  });
  await leaveToOthers({ tx, org }, person, about);
  const emptied = await tx.all<ChangedMail>(sql`
    update mails m set recipient = 'erased', recipient_name = null, subject = 'erased', text = null, html = null, data = null,
      attachments = '[]', status = case when m.status in ('queued', 'held') then 'failed' else m.status end, last_error = null,
      erased_attempts = m.attempts
    where ${about} and (m.object_id = any(${[...person.attendees, ...registered.map((one) => one.registration.id)]})
      or (m.object_id, lower(m.recipient)) in (
        select * from unnest(${toPerson.map((one) => one.id)}::uuid[], ${toPerson.map((one) => one.email)}::text[])))
    returning m.id, m.attempts`);
  const shared = await tx.all<ChangedMail & { status: string; data: unknown }>(sql`
    select m.id, m.attempts, m.status, m.data from mails m
    where ${about} and m.data is not null
      and ${contains(sql`m.data::text`, idsOf(person).map(toUlid))} for update`);
  for (const { id, status, data } of shared) {
    // The registrant's mail brings the tickets of all attendees. If it is still to be sent, it needs their codes.
    const without = redact(data, person, { keepCodes: WAITING.includes(status) });
    await tx.run(sql`
      update mails m set data = ${JSON.stringify(without)}, erased_attempts = m.attempts where m.org_id = ${org} and m.id = ${id}`);
  }
  const links = await eraseLinkMails({ tx, org }, shares);
  removeSentMails(tx, org, [
    ...emptied,
    ...links,
    ...shared,
    ...(await redactMailContents({ tx, org }, person, shares, about)),
  ]);
}

const WAITING: readonly string[] = ['queued', 'held'];

/**
 * A mail to several people who share an address is found by the first of them. If that one is erased, it becomes a mail to the others:
 * their tickets are in it.
 */
async function leaveToOthers({ tx, org }: At, person: ErasedPerson, about: Sql): Promise<void> {
  const rows = await tx.all<{ id: Id; data: { attendees: Id[] } }>(sql`
    select m.id, m.data from mails m
    where ${about} and m.object_id = any(${person.attendees}) and m.data ? 'attendees' for update`);
  for (const {
    id,
    data: { attendees, ...rest },
  } of rows) {
    const others = attendees.filter((one) => !person.attendees.includes(one));
    if (others.length === 0) continue;
    const data = { ...rest, attendee: others[0], ...(others.length > 1 && { attendees: others }) };
    await tx.run(sql`
      update mails set object_id = ${others[0]}, data = ${JSON.stringify(data)} where org_id = ${org} and id = ${id}`);
  }
}

/**
 * Empties mails that brought the links of whoever has the address. They belong to no event. One that is still to be sent is written
 * from what is left then; if that is nothing, it is dropped.
 */
function eraseLinkMails({ tx, org }: At, shares: readonly ContactShare[]): Promise<ChangedMail[]> {
  const emails = shares.flatMap(({ names }) => names.flatMap(({ email }) => email?.toLowerCase() ?? []));
  return tx.all<ChangedMail>(sql`
    update mails m set recipient = 'erased', data = null, last_error = null, erased_attempts = m.attempts
    where m.org_id = ${org} and m.kind = 'registration_links' and lower(m.recipient) = any(${emails}) and m.status <> 'queued'
    returning m.id, m.attempts`);
}

/** Removes the person from the content that several mails of a registration share. Returns those mails. */
async function redactMailContents(
  { tx, org }: At,
  person: ErasedPerson,
  shares: readonly ContactShare[],
  about: Sql,
): Promise<ChangedMail[]> {
  const contents = await tx.all<{ id: Id; data: unknown }>(sql`
    select c.id, c.data from mail_contents c
    where c.org_id = ${org} and c.registration_id = any(${shares.map((one) => one.registration.id)}) for update`);
  if (contents.length === 0) return [];
  const mails = await tx.all<ChangedMail & { content_id: Id; status: string }>(sql`
    update mails m set erased_attempts = m.attempts
    where ${about} and m.content_id = any(${contents.map((one) => one.id)}) returning m.id, m.attempts, m.content_id, m.status`);
  const waiting = new Set(mails.filter((mail) => WAITING.includes(mail.status)).map((mail) => mail.content_id));
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

/** Has the transport's copies of mails removed after the commit. A mail that was never tried has none. */
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
