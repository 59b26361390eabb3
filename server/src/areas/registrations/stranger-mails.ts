import { DAY, HOUR } from '../../clock.ts';
import { type Id, toUlid } from '../../common/ids.ts';
import type { MailKind } from '../../outside/mail-templates/index.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { Letter, MailQueue } from './letters-to-send.ts';
import { addressHash, provenOf } from './proven-addresses.ts';

/*
 * Anybody can have mails sent to any address, by typing it into a form. To an address that is not proven (proven-addresses.ts) an
 * organization sends so many of them in an hour and in a day, and so many for one event. What exceeds this is held, and later summed up
 * in one mail (held-mails.ts). Why, and what never waits: docs/internals/mails.md.
 */
export const STRANGER_MAILS = { hour: 5, day: 20 };
/** In an hour, for one event and all addresses that are not proven. */
export const EVENT_MAILS = 5000;

/** Mails that tell somebody what the organizer decided or what they paid for, or that a place has ended, never wait. */
const NEVER_HELD: readonly MailKind[] = ['approved', 'promoted', 'declined', 'cancelled', 'attendee_cancelled'];
const DECIDED: readonly string[] = ['registration.approved', 'registration.promoted', 'payment.received'];

/**
 * Whether a stranger caused the mail: by the form, by a link, or by letting a registration from the form expire without having paid.
 * What the organization's members, keys and devices do is its own doing.
 */
export const causedByStranger = ({ about, kind }: Letter): boolean =>
  (about.byVisitor === true || (about.source === 'form' && kind === 'registration_expired')) &&
  !NEVER_HELD.includes(kind) &&
  !about.happened.some(({ type }) => DECIDED.includes(type));

/** Until when each of the letters is held. Those that may be sent now count, and are not in the answer. */
export async function heldUntil(queue: MailQueue, letters: readonly Letter[]): Promise<Map<Letter, Date>> {
  const { tx, org } = queue;
  const held = new Map<Letter, Date>();
  if (letters.length === 0) return held;
  const proven = await provenOf(tx, org, [...new Set(letters.map(({ recipient }) => recipient))]);
  const counted = letters.filter(({ recipient }) => !proven.has(recipient.trim().toLowerCase()));
  const turns = await takeTurns(
    tx,
    org,
    counted.map(({ recipient }) => recipient),
  );
  for (const [i, letter] of counted.entries()) if (turns[i] !== null) held.set(letter, turns[i]!);
  const free = counted.filter((letter) => !held.has(letter));
  const { over, until } = await countInEvent(queue, free.length);
  for (const letter of over === 0 ? [] : free.slice(-over)) held.set(letter, until);
  return held;
}

/**
 * Takes one turn for each of the addresses, which may repeat. Null: the mail may be sent now. Otherwise the time at which there is room
 * again; with `reserve` that turn is taken. The rows stay locked until the commit, so however many ask at once, no more mails than
 * allowed go out. They are locked in one order, so that nobody waits in a circle.
 */
export async function takeTurns(
  tx: Tx,
  org: Id,
  emails: readonly string[],
  { reserve = false }: { reserve?: boolean } = {},
): Promise<(Date | null)[]> {
  if (emails.length === 0) return [];
  const now = tx.clock.now().getTime();
  const keys = emails.map((email) => addressHash(org, email).toString('hex'));
  const rows = await tx.all<{ key: string; sent: string[] }>(sql`
    insert into stranger_mails as m (org_id, address, sent, over_at)
    select ${org}, decode(one, 'hex'), '{}', ${new Date(now + DAY)} from unnest(${[...new Set(keys)].sort()}::text[]) as one
    on conflict (org_id, address) do update set over_at = excluded.over_at
    returning encode(m.address, 'hex') as key, to_json(m.sent) as sent`);
  const sentTo = new Map(
    rows.map(({ key, sent }) => [
      key,
      sent
        .map((one) => Date.parse(one))
        .filter((at) => at > now - DAY)
        .sort(byTime),
    ]),
  );
  const turns = keys.map((key) => {
    const sent = sentTo.get(key)!;
    const at = freeAt(sent, now);
    if (at <= now || reserve) sent.push(at);
    sent.sort(byTime);
    return at <= now ? null : new Date(at);
  });
  const written = [...sentTo].map(([key, sent]) => ({ key, sent: sent.map((at) => new Date(at).toISOString()) }));
  await tx.run(sql`
    update stranger_mails m set sent = w.sent
    from json_to_recordset(${JSON.stringify(written)}::json) as w(key text, sent timestamptz[])
    where m.org_id = ${org} and m.address = decode(w.key, 'hex')`);
  return turns;
}

const byTime = (a: number, b: number): number => a - b;

/** When the next mail may be sent after those that were: `sent` is in order, and may reach into the future. */
function freeAt(sent: readonly number[], now: number): number {
  const after = (most: number, per: number) => (sent.length < most ? now : sent[sent.length - most]! + per);
  return Math.max(now, after(STRANGER_MAILS.hour, HOUR), after(STRANGER_MAILS.day, DAY));
}

/** Counts mails of an event in the hour that begins with the first of them. Answers how many of these are too many. */
async function countInEvent({ tx, org, now, world }: MailQueue, mails: number): Promise<{ over: number; until: Date }> {
  if (mails === 0) return { over: 0, until: now };
  const ended = sql`c.since <= ${new Date(now.getTime() - HOUR)}`;
  const counted = await tx.one<{ since: string; mails: number }>(sql`
    insert into mail_counts as c (org_id, what, since, mails)
    values (${org}, ${`strangers in ${toUlid(world.event.id)}`}, ${now}, ${mails})
    on conflict (org_id, what) do update set
      since = case when ${ended} then excluded.since else c.since end,
      mails = case when ${ended} then 0 else c.mails end + excluded.mails
    returning since, mails`);
  return {
    over: Math.min(mails, Math.max(0, counted.mails - EVENT_MAILS)),
    until: new Date(Date.parse(counted.since) + HOUR),
  };
}

/** Removes what is older than a day. */
export const sweepTurns = (tx: Tx): Promise<number> =>
  tx.run(sql`delete from stranger_mails where over_at <= ${tx.clock.now()}`);
