import type { Translate } from '@turnout/words';
import { formatDate } from '../../outside/locale.ts';
import { type Html, html, join } from '../../outside/mail-templates/markup.ts';
import type { CheckoutState } from '../../outside/payments.ts';
import { instructionsOf } from '../../outside/way-to-pay.ts';
import {
  type AttendeeState,
  balanceOf,
  canCancelAll,
  canDo,
  holdsPlaces,
  isAllowed,
  isPaid,
  isUnderWay,
  type RegistrationState,
  type SelfServiceAction,
} from '../registrations/index.ts';
import { keyField } from './key-field.ts';
import { bookedFor, bookedTogether, savedWith } from './my-booked.ts';
import { lookAgain, pageState, refreshOf } from './my-confirming.ts';
import { questionsOf } from './my-fields.ts';
import { keepPlaces } from './my-keep.ts';
import { drawTickets, placesOf } from './my-tickets.ts';
import { instant, money, nameOf, placePath, type Visit, type VisitHandler, whenOf, within } from './my-visit.ts';
import { hasProducts } from './own-products.ts';
import type { PageParts } from './parts.ts';
import { answerText } from './question-field.ts';

const TONES: Record<RegistrationState['status'], 'good' | 'warn' | 'bad'> = {
  confirmed: 'good',
  waitlisted: 'warn',
  pending_approval: 'warn',
  pending_payment: 'warn',
  declined: 'bad',
  cancelled: 'bad',
  expired: 'bad',
};

/** What the page says about something that was just done. */
const DONE = ['registered', 'kept', 'changed', 'cancelled', 'handed', 'paid', 'stale'] as const;

/** The page behind a link. Opening it changes nothing. */
export const showRegistration =
  (parts: PageParts): VisitHandler =>
  async (visit, { query }, reply) => {
    const { t, site, world, registration } = visit;
    const page = await pageState(parts, visit);
    // Back from the payment page, people read how far the payment is below, and are thanked once it has arrived.
    const done = query.done === 'paid' && balanceOf(registration) > 0 ? undefined : query.done;
    const head = page === 'confirming' ? refreshOf(visit, query.look) : html``;
    const content = html`<p class="soft">${world.event.name}</p><h1>${t('title')}</h1>${noticeOf(t, done)}${stateOf(visit, page)}${facts(visit)}${payment(visit, page)}${await drawTickets(visit)}${people(visit)}${bookedTogether(visit)}${cancelling(visit)}`;
    const title = `${t('title')}: ${world.event.name}`;
    return parts.layout.send(reply, site, { title, content, head, noindex: true });
  };

export function noticeOf(t: Translate<'my'>, done: unknown): Html {
  const known = DONE.find((one) => one === done);
  if (known === undefined) return html``;
  return html`<div class="notice ${known === 'stale' ? 'warn' : 'good'}" role="status"><p>${t(`done.${known}`)}</p></div>`;
}

const statusOf = ({ registration, attendee }: Visit): RegistrationState['status'] =>
  attendee?.cancelled === true ? 'cancelled' : registration.status;

function stateOf(visit: Visit, page: CheckoutState | null): Html {
  const { t, registration, world, attendee } = visit;
  const status = statusOf(visit);
  if (page === 'confirming') {
    return html`<div class="notice warn" role="status"${lookAgain()}><p><strong>${t('confirming')}</strong></p><p>${t('confirmingText')}</p></div>`;
  }
  const { payment_due_at: due } = registration;
  const lines = [
    ...(registration.test ? [t('test')] : []),
    t(`about.${status}`),
    ...(status !== 'pending_payment' ? [] : attendee !== null ? [t('notPaidYet')] : []),
    ...(status === 'pending_payment' && attendee === null
      ? [due === null ? t('underWay') : t('payUntil', { due: instant(visit, due) })]
      : []),
    ...(world.event.status === 'archived' ? [t('over')] : []),
  ];
  return html`<div class="notice ${TONES[status]}"><p><strong>${t(`status.${status}`)}</strong></p>${join(lines.map((line) => html`<p>${line}</p>`))}${keepPlaces(visit)}</div>`;
}

function facts(visit: Visit): Html {
  const { t, world, registration } = visit;
  const rows: [string, string | null][] = [
    [t('when'), whenOf(visit)],
    [t('where'), world.event.venue],
    [t('code'), registration.code],
  ];
  const shown = rows.filter(([, value]) => value !== null && value !== '');
  return html`<dl class="facts">${join(shown.map(([label, value]) => html`<dt>${label}</dt><dd>${value!}</dd>`))}</dl>`;
}

/** What is paid and due. It concerns only the registrant. */
function payment(visit: Visit, page: CheckoutState | null): Html {
  const { t, registration, attendee } = visit;
  const { total_minor, paid_minor } = registration;
  if (attendee !== null || (total_minor === 0 && paid_minor === 0)) return html``;
  const balance = balanceOf(registration);
  const rows: [string, number][] = [
    ...savedWith(visit),
    [t('total'), total_minor],
    [t('paid'), paid_minor],
    // What is being confirmed may be paid already, so nobody is asked for it.
    ...(balance > 0 && page !== 'confirming' ? [[t('due'), balance] as [string, number]] : []),
    ...(balance < 0 ? [[t('credit'), -balance] as [string, number]] : []),
  ];
  const list = rows.map(
    ([label, amount]) => html`<li><span>${label}</span><span class="number">${money(visit, amount)}</span></li>`,
  );
  const credit = balance < 0 ? html`<p class="soft">${t(visit.refunding ? 'creditRefunded' : 'creditText')}</p>` : '';
  return html`<h2>${t('money')}</h2><ul class="rows">${join(list)}</ul>${credit}${howToPay(visit, balance, page)}`;
}

/** Online where a provider is set up, else as the organizer asks. Nothing is asked for before the organizer has approved. */
function howToPay(visit: Visit, balance: number, page: CheckoutState | null): Html {
  const { t, registration, world, online } = visit;
  const { status, code } = registration;
  if (balance <= 0 || (status !== 'pending_payment' && status !== 'confirmed')) return html``;
  if (isUnderWay(registration) || page === 'confirming') return html``;
  if (online && status === 'pending_payment') {
    const isOpen = page === 'open';
    const label = isOpen ? t('toOpenPage') : t('pay', { amount: money(visit, balance) });
    return html`${isOpen ? html`<p>${t('pageIsOpen')}</p>` : ''}<form class="actions" method="post" action="${within(visit, '/pay')}">${keyField()}<button>${label}</button></form>`;
  }
  const lines = instructionsOf(world.event);
  if (lines.length === 0) return html`<h3>${t('howToPay')}</h3><p>${t('askHowToPay')}</p>`;
  const shown = join(
    lines.map((line) => html`${line}`),
    '<br>',
  );
  return html`<h3>${t('howToPay')}</h3><p>${shown}</p><p>${t('reference')} <strong class="code">${code}</strong></p>`;
}

function people(visit: Visit): Html {
  const { t, attendee } = visit;
  const own = placesOf(visit);
  const left = attendee === null ? visit.registration.attendees.length - own.length : 0;
  const rows = [
    ...own.map((one) => person(visit, one)),
    ...Array.from({ length: left }, () => html`<li><span class="soft">${t('handedOnPlace')}</span></li>`),
  ];
  return html`<h2>${t(attendee === null ? 'people' : 'you')}</h2><ul class="rows">${join(rows)}</ul>${untilOf(visit)}`;
}

const ACTIONS: readonly [SelfServiceAction, 'change' | 'changeExtras' | 'handOn' | 'cancelPlace', string][] = [
  ['change', 'change', 'change'],
  ['products', 'changeExtras', 'extras'],
  ['transfer', 'handOn', 'hand-on'],
  ['cancel', 'cancelPlace', 'cancel'],
];

function person(visit: Visit, attendee: AttendeeState): Html {
  const { t, registration, world, now } = visit;
  const type = world.types.get(attendee.attendee_type_id)?.name ?? '';
  const details = [type, ...daysOf(visit, attendee)].filter(Boolean).join(' · ');
  const possible = ACTIONS.filter(([action, label]) => {
    // The registrant cancels the last place together with the registration.
    const isLast =
      label === 'cancelPlace' &&
      visit.attendee === null &&
      placesOf(visit).filter(({ cancelled }) => !cancelled).length === 1;
    if (action === 'products' && !hasProducts(visit, attendee)) return false;
    return !isLast && canDo(action, { event: world.event, now }, registration, attendee);
  });
  const links = possible.map(
    ([, label, path]) =>
      html`<a href="${within(visit, placePath(attendee, path))}">${t(label)}<span class="unseen"> (${nameOf(attendee)})</span></a>`,
  );
  const cancelled = attendee.cancelled ? html` <span class="tag bad">${t('status.cancelled')}</span>` : '';
  return html`<li><div><strong>${nameOf(attendee)}</strong>${cancelled}<br><span class="soft">${details}</span>${answersOf(visit, attendee)}${bookedFor(visit, attendee)}</div>${links.length === 0 ? '' : html`<div class="place-actions">${join(links, ' ')}</div>`}</li>`;
}

/** Days shown for one person; the ticket lists all of them. */
const MAX_DAYS = 7;

function daysOf({ t, site, world }: Visit, { day_ids }: AttendeeState): string[] {
  const at = { language: site.language, timezone: world.event.timezone };
  const own = new Set(day_ids);
  const days = world.dayOrder.filter((id) => own.has(id)).map((id) => world.days.get(id)!);
  const shown = days.slice(0, MAX_DAYS).map(({ name, date }) => {
    const written = formatDate(date, at);
    return name === date ? written : `${name} (${written})`;
  });
  const left = days.length - MAX_DAYS;
  return left > 0 ? [...shown, t('moreDays', { count: left })] : shown;
}

function answersOf(visit: Visit, attendee: AttendeeState): Html {
  const { world } = visit;
  const questions = questionsOf(world, attendee);
  const labels = new Map(questions.map(({ code, label }) => [code.toLowerCase(), label]));
  const given = Object.entries(attendee.answers).map(
    ([code, answer]) =>
      html`<dt>${labels.get(code.toLowerCase()) ?? code}</dt><dd>${answerText(visit.site, answer)}</dd>`,
  );
  return given.length === 0 ? html`` : html`<dl class="facts small">${join(given)}</dl>`;
}

/** Until when each of the things that can be done now is possible. */
function untilOf(visit: Visit): Html {
  const { t, world, registration, now } = visit;
  const { self_service } = world.event;
  const at = { event: world.event, now };
  const lines = ACTIONS.flatMap(([action, label]) => {
    const until = self_service[`${action}_until`];
    const isPossible = (one: AttendeeState) =>
      canDo(action, at, registration, one) && (action !== 'products' || hasProducts(visit, one));
    if (until === null || !placesOf(visit).some(isPossible)) return [];
    return [html`<li>${t(label)}: ${t('until', { until: instant(visit, until) })}</li>`];
  });
  // Otherwise whoever looks for the link would wonder why there is none.
  if (isAllowed(world.event, 'transfer', now) && holdsPlaces(registration) && !isPaid(registration)) {
    lines.push(html`<li>${t('handOnUnpaid')}</li>`);
  }
  return lines.length === 0 ? html`` : html`<ul class="soft small">${join(lines)}</ul>`;
}

function cancelling(visit: Visit): Html {
  const { t, registration, attendee, world, now } = visit;
  if (attendee !== null || !canCancelAll({ event: world.event, now }, registration)) return html``;
  return html`<div class="actions"><a class="button quiet" href="${within(visit, '/cancel')}">${t('cancelAll')}</a></div>`;
}
