import { accentOf } from '@turnout/contract';
import { chooseLanguage, type Language } from '@turnout/words';
import { DAY, MINUTE } from '../../clock.ts';
import { type Id, newId } from '../../common/ids.ts';
import { formatEventDates } from '../../outside/locale.ts';
import { renderLinks } from '../../outside/mail-templates/links.ts';
import type { Links } from '../../road/for-areas/links.ts';
import type { QueuedMail, RenderMail, SettleMail } from '../../road/for-areas/mail.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { emailKey } from '../contacts/index.ts';
import { type EventRow, eventsNotOver } from '../events/index.ts';
import { isProven, type Summed, takeTurns } from '../registrations/index.ts';
import { wordsFor } from './words.ts';

/*
 * "Have my link sent again." Whoever asks learns nothing: the mail is queued for every address in the same way, and only when it is
 * sent does the worker look whether the address is registered anywhere. If it is not, the mail is dropped.
 */

const KIND = 'registration_links';
export const isLinksMail = ({ kind }: QueuedMail): boolean => kind === KIND;

/** An address gets one such mail of an organization in this time. */
const PAUSE = 10 * MINUTE;
/** A mail that waits for its turn has waited no longer than this. */
const WAITS_AT_MOST = 2 * DAY;
/** The most events that are looked at, and the most links of a mail. */
const MAX = { events: 200, links: 50 };

interface LinksRequest {
  /** Only the links of this event. Null: those of all events of the organization that are not over. */
  event: Id | null;
  language: Language;
  /** The mails that this one sums up, because its recipient had too many that strangers caused. */
  summed?: Summed[];
}

/**
 * Queues a mail with the links of whoever has the address, unless there was one a moment ago or one still waits. The statements are the
 * same in every case. Anybody can ask for anybody, so it counts among the mails that strangers cause, and waits where these are used up.
 */
export async function queueLinks(
  tx: Tx,
  { org, email, ...request }: LinksRequest & { org: Id; email: string },
): Promise<void> {
  const now = tx.clock.now();
  const recipient = email.trim();
  // The lock is a statement of its own: the next one looks at what was committed while this one waited.
  tx.send(sql`select pg_advisory_xact_lock(hashtextextended(${`${KIND} ${org} ${recipient.toLowerCase()}`}, 0))`);
  const recent = await tx.maybe(sql`
    select from mails m where m.org_id = ${org} and m.kind = ${KIND}
      and lower(m.recipient) in (lower(${recipient}), ${forgotten(org, recipient)})
      and m.id >= ulid_floor(${new Date(now.getTime() - WAITS_AT_MOST)})
      and (m.created_at > ${new Date(now.getTime() - PAUSE)} or m.status = 'queued') limit 1`);
  if (recent !== null) return;
  const [wait] = (await isProven(tx, org, recipient))
    ? [null]
    : await takeTurns(tx, org, [recipient], { reserve: true });
  await tx.run(sql`
    insert into mails (org_id, id, kind, recipient, subject, data, next_attempt_at, created_at)
    values (${org}, ${newId(now)}, ${KIND}, ${recipient}, ${KIND}, ${JSON.stringify(request)}, ${wait ?? now}, ${now})`);
}

/** What stands in place of an address that nobody is registered with, so that it is kept nowhere. */
const forgotten = (org: Id, email: string) => sql`encode(address_hash(${org}, lower(${email})), 'hex')`;

/** Removes the address of a mail that was not for anybody here. */
export const settleLinks: SettleMail = async (tx, mail, fate) => {
  if (fate.status !== 'withdrawn') return;
  await tx.run(sql`
    update mails set recipient = ${forgotten(mail.org_id, mail.recipient)} where org_id = ${mail.org_id} and id = ${mail.id}`);
};

interface Place {
  event_id: Id;
  registration: Id;
  attendee: Id | null;
  email: string;
  name: string;
}

export const linksRenderer =
  (links: Links): RenderMail =>
  async (tx, mail) => {
    const { org_id: org } = mail;
    const { event, language: wanted, summed = [] } = mail.data as LinksRequest;
    const language = chooseLanguage([wanted]);
    const events = new Map((await eventsNotOver(tx, org, event, MAX.events)).map((one) => [one.id, one]));
    const places = await placesAt(tx, org, [...events.keys()], mail.recipient);
    const handedOn = new Set(
      summed.filter(({ kind }) => kind === 'place_handed_on').flatMap((one) => events.get(one.event!) ?? []),
    );
    if (places.length === 0 && handedOn.size === 0) return { withdrawn: 'nothing is open under this address' };
    const { name, accent, terminology } = await tx.one<{
      name: string;
      accent: string | null;
      terminology: Record<string, string>;
    }>(sql`select name, accent, terminology from organizations where id = ${org}`);
    const words = await wordsFor(language, terminology);
    const t = words.in('my');
    const rendered = renderLinks({
      language,
      organization: name,
      subject: t(summed.length > 0 ? 'summedSubject' : 'linksSubject', { organization: name }),
      title: t(summed.length > 0 ? 'summedTitle' : 'linksTitle'),
      text: t(summed.length > 0 ? 'summedText' : 'linksText'),
      links: [
        ...places.map((place) => {
          const of = events.get(place.event_id)!;
          const url = links.manage(of, { ...place, org });
          return { name: of.name, lines: [datesOf(of, language), of.venue ?? '', place.name], url };
        }),
        ...[...handedOn].map((of) => ({
          name: of.name,
          lines: [datesOf(of, language), t('summedHandedOn')],
          url: null,
        })),
      ],
      open: t('linksOpen'),
      footer: t(summed.length > 0 ? 'summedFooter' : 'linksFooter'),
      accent: accent === null ? undefined : accentOf(accent).light,
    });
    return { ...rendered, attachments: [] };
  };

const datesOf = (event: EventRow, language: string): string => formatEventDates({ ...event, language }) ?? '';

/**
 * The registrations and places that are open under an address. Keys for searching leave accents out, so addresses are compared once
 * more: the links of one mailbox must not go to another. Whoever has the registrant's link needs none to a place in it.
 */
async function placesAt(tx: Tx, org: Id, events: readonly Id[], address: string): Promise<Place[]> {
  const key = emailKey(address);
  const open = sql`status in ('pending_approval', 'waitlisted', 'pending_payment', 'confirmed') and not test`;
  const rows = await tx.all<Place>(sql`
    select e.id as event_id, p.* from unnest(${events}::uuid[]) with ordinality as e(id, n)
    cross join lateral (
      select r.id as registration, null::uuid as attendee, r.email, r.code as name from registrations r
      where r.org_id = ${org} and r.event_id = e.id and r.email_key = ${key} and r.${open}
      union all
      select a.registration_id, a.id, a.email, concat_ws(' ', a.first_name, a.last_name) from attendees a
      where a.org_id = ${org} and a.event_id = e.id and a.email_key = ${key} and a.${open}
      limit ${2 * MAX.links}) p
    order by e.n, p.registration, p.attendee nulls first limit ${2 * MAX.links}`);
  const same = (email: string) => email.trim().toLowerCase() === address.trim().toLowerCase();
  const own = rows.filter(({ email }) => same(email));
  const whole = new Set(own.flatMap(({ attendee, registration }) => (attendee === null ? [registration] : [])));
  return own.filter(({ attendee, registration }) => attendee === null || !whole.has(registration)).slice(0, MAX.links);
}
