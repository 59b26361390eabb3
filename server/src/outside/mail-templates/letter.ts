import { type LetterWords, letterTexts } from '@turnout/words/mails';
import { cleanLine, cleanLines, cleanName, cleanUrl, shortened } from '../clean.ts';
import { capitalized, formatDate, formatEventDates, formatHours, formatInstant } from '../locale.ts';
import { formatMoney } from '../money.ts';
import { termsOf } from '../terms.ts';
import { instructionsOf, wayToPay } from '../way-to-pay.ts';
import type { Letter, MailData, MailDay, MailKind, MailProduct } from './mail.ts';
import { type Facts, SENTENCES, subjectOf, titleOf } from './sentences.ts';

/** Mail programs cut long mails (Gmail at 102 kB), so a list with more rows ends by saying how many are missing. */
export const MAX_ROWS = 40;
/** How many tickets a mail brings as PDF at most. */
export const MAX_ATTACHED = 200;
/** Days shown per attendee; the ticket lists all of them. */
const MAX_DAYS = 7;
/** Products shown per attendee; the page behind the button lists all of them. */
const MAX_PRODUCTS = 10;
export const SUBJECT = 150;
/** The colour of buttons of organizations that have chosen none. */
export const BLACK = '#111315';

/** Kinds of mails after which nothing is left to pay. */
const OVER: MailKind[] = ['declined', 'cancelled', 'registration_expired', 'attendee_cancelled'];

export function letterOf(kind: MailKind, data: MailData): Letter {
  const { event, registration } = data;
  const words = wordsOf(data);
  const { t, language } = words;
  const money = (minor: number) => cleanLine(formatMoney(minor, registration.currency, event));
  const instant = (at: string | null) => (at === null ? null : cleanLine(formatInstant(at, event)));
  const open = registration.total_minor - registration.paid_minor;
  const facts: Facts = {
    event: cleanLine(event.name),
    status: registration.status,
    code: cleanLine(registration.code),
    people: data.people.length,
    tickets: data.tickets?.length ?? 0,
    attached: data.attached ?? Math.min(data.tickets?.length ?? 0, MAX_ATTACHED),
    open: open > 0 ? money(open) : null,
    due: instant(registration.payment_due_at),
    keep: instant(registration.kept_until ?? null),
    way: wayToPay(data.online === true, data),
  };
  const name = cleanName(data.recipient.name);
  const reason = data.reason == null ? [] : cleanLines(data.reason);
  const url = cleanUrl(data.links.manage);
  const calendar = cleanUrl(data.links.calendar);
  const isDue = facts.open !== null && registration.status === 'pending_payment' && priced(kind, data);
  return {
    language,
    colon: colonOf(words),
    subject: shortened(subjectOf(kind, facts, t), SUBJECT),
    organization: cleanLine(data.organization.name),
    title: titleOf(kind, facts, t),
    greeting: name === '' ? t('hello') : t('greeting', { name }),
    paragraphs: SENTENCES[kind](facts, t),
    quote: reason.join('') === '' ? null : { label: t('reason'), lines: reason },
    payment: paymentOf(data, words, isDue),
    event: { name: facts.event, lines: eventLines(event) },
    facts: factsOf(kind, data, words, facts, money),
    people: peopleOf(kind, data, words, money),
    together: togetherOf(kind, data, words, money),
    tickets: ticketsOf(data, words),
    qr: t('qr'),
    openTicket: t('openTicket'),
    action: url === null ? null : { label: isDue && facts.way === 'online' ? t('payNow') : t('manage'), url },
    calendar: calendar === null ? null : { label: t('calendar'), url: calendar },
    accent: data.organization.accent ?? BLACK,
    logo: data.organization.logo ?? null,
    signOff: t('signOff'),
    footer: t('footer', { event: facts.event }),
  };
}

function paymentOf(data: MailData, words: LetterWords, isDue: boolean): Letter['payment'] {
  const lines = isDue ? instructionsOf(data) : [];
  return lines.length === 0 ? null : { label: words.t('howToPay'), lines };
}

/** The texts in the event's language, with the organization's own terms. */
export function wordsOf({ event, organization }: Pick<MailData, 'event' | 'organization'>): LetterWords {
  const own = Object.entries(organization.terminology).map(([key, word]) => [key, cleanLine(word)] as const);
  return letterTexts(event.language, termsOf(Object.fromEntries(own)));
}

/** What follows a label in plain text. In French it begins with a space. */
export const colonOf = ({ t }: LetterWords): string => t('label', { label: '' });

export function eventLines(event: MailData['event']): string[] {
  const dates = formatEventDates(event);
  return [dates === null ? '' : capitalized(dates), event.venue ?? ''].map(cleanLine).filter((line) => line !== '');
}

/** Mails about one place show no amounts: money is between the registrant and the organizer. */
const ABOUT_A_PLACE: readonly MailKind[] = [
  'attendee_ticket',
  'attendee_cancelled',
  'place_received',
  'place_handed_on',
];
const priced = (kind: MailKind, { registration }: MailData) =>
  !ABOUT_A_PLACE.includes(kind) && registration.total_minor > 0;

function factsOf(
  kind: MailKind,
  data: MailData,
  words: LetterWords,
  { code, open, due }: Facts,
  money: (minor: number) => string,
): Letter['facts'] {
  const { total_minor, paid_minor } = data.registration;
  const rows: Letter['facts'] = [{ label: words.t('registration'), value: code }];
  if (!priced(kind, data)) return rows;
  const { discount } = data.registration;
  if (discount !== undefined) {
    rows.push({ label: words.t('saved', { code: cleanLine(discount.code) }), value: money(discount.minor) });
  }
  rows.push({ label: words.t('total'), value: money(total_minor) });
  if (paid_minor > 0) rows.push({ label: words.t('paid'), value: money(paid_minor) });
  if (open !== null && !OVER.includes(kind)) {
    rows.push({ label: words.t('open'), value: open, strong: true });
    if (due !== null && data.registration.status === 'pending_payment')
      rows.push({ label: words.t('due'), value: due });
  }
  return rows;
}

function peopleOf(
  kind: MailKind,
  data: MailData,
  words: LetterWords,
  money: (minor: number) => string,
): Letter['people'] {
  if (data.people.length === 0) return null;
  const rows = data.people.slice(0, MAX_ROWS).map((person) => ({
    name: cleanName(person.name),
    details: [
      person.attendee_type,
      ...daysOf(person.days, data.event, words),
      ...productsOf(person.products ?? [], words, priced(kind, data) ? money : null),
    ]
      .map(cleanLine)
      .filter(Boolean),
    amount: priced(kind, data) ? money(person.price_minor) : '',
    link: linkTo(person.manage, words.t('manage')),
  }));
  return { label: words.t('people', { count: data.people.length }), rows, more: more(data.people.length, words) };
}

function productsOf(
  products: readonly MailProduct[],
  words: LetterWords,
  money: ((minor: number) => string) | null,
): string[] {
  const shown = products
    .slice(0, MAX_PRODUCTS)
    .map(({ text, amount_minor }) =>
      money === null || amount_minor === 0 ? text : `${text} · ${money(amount_minor)}`,
    );
  const more = products.length - shown.length;
  return more > 0 ? [...shown, words.t('more', { more: String(more) })] : shown;
}

/** What is booked for all people together is the registrant's. */
function togetherOf(
  kind: MailKind,
  data: MailData,
  words: LetterWords,
  money: (minor: number) => string,
): Letter['together'] {
  const { products = [] } = data;
  if (products.length === 0 || ABOUT_A_PLACE.includes(kind)) return null;
  const rows = products.slice(0, MAX_ROWS).map(({ text, amount_minor }) => ({
    name: cleanLine(text),
    details: [],
    amount: priced(kind, data) ? money(amount_minor) : '',
    link: null,
  }));
  return { label: words.t('together'), rows, more: more(products.length, words) };
}

function linkTo(address: string | null | undefined, label: string): { label: string; url: string } | null {
  const url = cleanUrl(address ?? undefined);
  return url === null ? null : { label, url };
}

function daysOf(days: readonly MailDay[], event: MailData['event'], words: LetterWords): string[] {
  const shown = days.slice(0, MAX_DAYS).map((day) => dayLine(day, event));
  return days.length > MAX_DAYS ? [...shown, words.t('more', { more: String(days.length - MAX_DAYS) })] : shown;
}

/** A day as on the ticket: "Fri, 12 June 2026, 09:00 – 18:00 (Opening day)". */
function dayLine({ name, date, opens_at, closes_at }: MailDay, event: MailData['event']): string {
  if (date === null) return name;
  const written = [formatDate(date, event), formatHours(opens_at, closes_at, event)].filter(Boolean).join(', ');
  // The name of a day without a name of its own is its date.
  return capitalized(name === date || cleanLine(name) === '' ? written : `${written} (${name})`);
}

function ticketsOf({ tickets = [] }: MailData, words: LetterWords): Letter['tickets'] {
  if (tickets.length === 0) return null;
  const rows = tickets.slice(0, MAX_ROWS).map((ticket) => ({
    code: (cleanLine(ticket.code).match(/.{1,4}/g) ?? []).join(' '),
    people: ticket.people.map(cleanName).join(', '),
    link: cleanUrl(ticket.pdf_url),
    qr: ticket.qr ?? null,
  }));
  return { label: words.t('tickets', { count: tickets.length }), rows, more: more(tickets.length, words) };
}

const more = (count: number, words: LetterWords) =>
  count > MAX_ROWS ? words.t('more', { more: String(count - MAX_ROWS) }) : null;
