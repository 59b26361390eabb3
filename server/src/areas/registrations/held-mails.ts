import type { Clock } from '../../clock.ts';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction, type Tx } from '../../store/tx.ts';
import type { Letter, MailQueue } from './letters-to-send.ts';
import { isProven } from './proven-addresses.ts';
import { causedByStranger, takeTurns } from './stranger-mails.ts';

/*
 * Mails beyond the budget of their recipient are `held` (stranger-mails.ts). Once there is room again, those of one recipient become one
 * mail, in the transaction that withdraws them: a crash before it leaves them held, and after it the one mail is queued.
 */

/** The mail that sums others up is of this kind: it brings the links of everything that is open under the address. */
export const SUMMARY = 'registration_links';
/** What the summary says besides the links: which held mails said that a place was handed on. */
export interface Summed {
  kind: string;
  event: Id | null;
}

/** Addresses that are looked at in one run; the next follows a minute later. */
const AT_ONCE = 1000;

/** Sums up what is held for addresses that have room again, organizations taking turns. Runs every minute; answers for how many addresses. */
export async function sumUpHeld(pool: Pool, clock: Clock, atOnce = AT_ONCE): Promise<number> {
  const due = await jobTransaction(pool, clock, { role: 'system' }, (tx) =>
    tx.all<{ org_id: Id; email: string }>(sql`
      select org_id, lower(recipient) as email from mails where status = 'held' and next_attempt_at <= ${clock.now()} group by 1, 2
      order by row_number() over (partition by org_id order by min(next_attempt_at)), 1, 2 limit ${atOnce}`),
  );
  for (const { org_id, email } of due) {
    await jobTransaction(pool, clock, { role: 'app', org: org_id }, (tx) => sumUp(tx, org_id, email));
  }
  return due.length;
}

async function sumUp(tx: Tx, org: Id, email: string): Promise<void> {
  const now = tx.clock.now();
  const held = sql`org_id = ${org} and status = 'held' and lower(recipient) = ${email}`;
  const [wait] = (await isProven(tx, org, email)) ? [null] : await takeTurns(tx, org, [email]);
  if (wait != null) {
    await tx.run(sql`update mails set next_attempt_at = ${wait} where ${held}`);
    return;
  }
  const mails = await tx.all<HeldMail>(sql`
    select id, kind, recipient, event_id, coalesce(data->>'language', (
      select c.data->>'language' from mail_contents c where c.org_id = mails.org_id and c.id = mails.content_id)) as language
    from mails where ${held} order by id for update`);
  const [first, ...others] = mails;
  if (first === undefined) return;
  // One that is alone is sent as it is, with its tickets.
  if (others.length === 0) {
    await tx.run(
      sql`update mails set status = 'queued', next_attempt_at = ${now} where org_id = ${org} and id = ${first.id}`,
    );
    return;
  }
  const id = newId(now);
  const { language } = await tx.one<{ language: string }>(sql`select language from organizations where id = ${org}`);
  const summed = mails.map(({ kind, event_id }): Summed => ({ kind, event: event_id }));
  const data = { event: null, language: mails.at(-1)!.language ?? language, summed };
  await tx.run(sql`
    insert into mails (org_id, id, kind, recipient, subject, data, next_attempt_at, created_at)
    values (${org}, ${id}, ${SUMMARY}, ${first.recipient}, ${SUMMARY}, ${JSON.stringify(data)}, ${now}, ${now})`);
  await tx.run(sql`
    update mails set status = 'withdrawn', last_error = ${`It was summed up in the mail ${toUlid(id)}.`}
    where org_id = ${org} and id = any(${mails.map((one) => one.id)})`);
}

interface HeldMail {
  id: Id;
  kind: string;
  recipient: string;
  event_id: Id | null;
  language: string | null;
}

const lower = (email: string): string => email.trim().toLowerCase();

/**
 * Leaves out mails about the end of something that its recipient has not heard of yet, because all mails about it are held: when a
 * visitor cancels, or a registration from the form expires. Otherwise everybody could have a second mail sent by cancelling.
 */
export async function dropUntold({ tx, org, world }: MailQueue, letters: readonly Letter[]): Promise<Letter[]> {
  const ending = letters.filter(
    (letter) =>
      ENDINGS.includes(letter.kind) &&
      (letter.about.byVisitor === true || causedByStranger(letter)) &&
      !letter.about.fresh,
  );
  if (ending.length === 0) return [...letters];
  const objects = ending.flatMap(objectsOf);
  const known = await tx.all<{ object_id: Id; email: string; held: boolean }>(sql`
    select object_id, lower(recipient) as email, bool_and(status = 'held') as held from mails
    where org_id = ${org} and event_id = ${world.event.id} and object_id = any(${objects}) and status in ('queued', 'held', 'sent')
    group by 1, 2`);
  const isHeld = new Map(known.map(({ object_id, email, held }) => [`${object_id} ${email}`, held]));
  const untold = ending.filter((letter) => {
    const earlier = objectsOf(letter).flatMap((id) => isHeld.get(`${id} ${lower(letter.recipient)}`) ?? []);
    return earlier.length > 0 && earlier.every((held) => held);
  });
  withdrawHeld({ tx, org, world }, untold);
  const left = new Set(letters);
  for (const letter of untold) left.delete(letter);
  return [...left];
}
/** What mails like this one are about: the registration for the registrant, else the attendees. */
const objectsOf = ({ attendees, about }: Letter): readonly Id[] => attendees ?? [about.id];
const ENDINGS: readonly string[] = ['cancelled', 'attendee_cancelled', 'registration_expired'];

/** Withdraws what is held about a registration for somebody who now gets a newer mail about it. */
export function withdrawHeld(
  { tx, org, world }: Pick<MailQueue, 'tx' | 'org' | 'world'>,
  letters: readonly Letter[],
): void {
  const earlier = letters.filter(({ about }) => !about.fresh);
  if (earlier.length === 0) return;
  const pairs = earlier.flatMap((letter) => objectsOf(letter).map((id) => ({ id, email: lower(letter.recipient) })));
  tx.send(sql`
    update mails m set status = 'withdrawn', last_error = 'A newer mail says more.'
    from json_to_recordset(${JSON.stringify(pairs)}::json) as p(id uuid, email text)
    where m.org_id = ${org} and m.status = 'held' and lower(m.recipient) = p.email and m.object_id = p.id
      and m.event_id = ${world.event.id}`);
}
