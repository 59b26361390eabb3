import { type Html, html, join } from '../../outside/mail-templates/markup.ts';
import type { WayToPay } from '../../outside/way-to-pay.ts';
import type { EventWorld, RoomForecast } from '../registrations/index.ts';
import { type Draft, isSelf, type Person, questionsFor, typeOf } from './draft.ts';
import { fieldsOfDraft } from './draft-body.ts';
import { moneyText, previewNotice } from './event-parts.ts';
import { hiddenField } from './fields.ts';
import { answerOf, answerText } from './question-field.ts';
import type { Quote } from './quote.ts';
import { ownLines, rowsOf, totals } from './quote-lines.ts';
import { isDraft, type ShownEvent } from './shown.ts';
import { eventPath, hrefOf, type Page, type Site } from './site.ts';
import { dayName } from './when.ts';

/** What is asked before it is booked. */
interface Asked {
  shown: ShownEvent;
  draft: Draft;
  total: number;
  /** Whether there is room for everybody; null where it was not looked up. */
  room: RoomForecast | null;
  way: WayToPay;
}

/** Everything once more before it is booked: who comes, when, and what it costs. */
export function summaryPage(
  site: Site,
  shown: ShownEvent,
  world: EventWorld,
  draft: Draft,
  { problem, room, way, quote }: { problem: string | null; room: RoomForecast | null; way: WayToPay; quote: Quote },
): Page {
  const { t } = site;
  const { event } = shown;
  const total = quote.total_minor;
  const asked = { shown, draft, total, room, way };
  const sent = { ...draft, total };
  const people = draft.people.map((person, i) => {
    const { email } = person;
    const type = typeOf(shown, person);
    const details = [
      type?.name ?? person.type,
      daysText(site, shown, person),
      isSelf(draft, i) ? '' : email.trim(),
    ].filter(Boolean);
    const own = quote.people[i]!;
    const about = html`<div><b dir="auto">${nameOf(draft, i)}</b><br><span class="soft" dir="auto">${details.join(' · ')}</span>${answersOf(site, world, person)}</div>`;
    // A ticket alone has its price beside the name.
    if (own.lines.length === 0 && own.discount_minor === 0)
      return html`<li>${about}<span class="number">${moneyText(site, event, own.price_minor)}</span></li>`;
    const ticket = { ...own, name: type?.name ?? person.type, option: null, quantity: 1 };
    return html`<li class="many">${about}${ownLines(site, shown, [ticket, ...own.lines])}</li>`;
  });
  const together =
    quote.together.length === 0
      ? ''
      : html`<h2>${t(draft.people.length > 1 ? 'extrasTogether' : 'extras')}</h2><ul class="rows">${join(rowsOf(site, shown, quote.together))}</ul>`;
  const { first, last, email, phone } = draft.contact;
  const who = [`${first.trim()} ${last.trim()}`, email.trim(), phone.trim()].filter(Boolean);
  const title = t('summaryTitle');
  const fields = join(
    [...fieldsOfDraft(shown, sent, world), ['token', draft.token] as const].map(([name, value]) =>
      hiddenField(name, value),
    ),
  );
  const content = html`${previewNotice(site, shown)}<h1>${title}</h1><p class="soft" dir="auto">${event.name}</p>${problem === null ? '' : html`<div class="notice warn" role="alert" tabindex="-1" id="faults"><p>${problem}</p></div>`}<h2>${t('people')}</h2><ul class="rows">${join(people)}</ul>${together}${totals(site, shown, quote)}<h2>${t('yourDetails')}</h2><p dir="auto">${join(
    who.map((line) => html`${line}`),
    '<br>',
  )}</p>${note(site, asked)}<form class="register" method="post" action="${hrefOf(site, `${eventPath(event)}/register`)}" data-offline="${t('offline')}">${fields}<div class="actions">${buttons(site, asked)}</div></form>`;
  return { title, content, noindex: true };
}

/** The answers to what this person is asked. What was left empty is left out. */
function answersOf(site: Site, world: EventWorld, person: Person): Html {
  const given = questionsFor(world, person).flatMap(({ code, kind, label }) => {
    const answer = answerOf(kind, person.answers.get(code) ?? []);
    return answer === undefined
      ? []
      : [html`<dt dir="auto">${label}</dt><dd dir="auto">${answerText(site, answer)}</dd>`];
  });
  return given.length === 0 ? html`` : html`<dl class="facts small">${join(given)}</dl>`;
}

function daysText(site: Site, { event, days }: ShownEvent, { days: codes }: Person): string {
  if (codes.length === 0) return '';
  const chosen = days.filter((day) => codes.includes(day.code));
  return site.words.formats.list(chosen.map((day) => dayName(site, event, day)));
}

const nameOf = (draft: Draft, i: number): string => {
  const { first, last } = isSelf(draft, i) ? draft.contact : draft.people[i]!;
  return `${first.trim()} ${last.trim()}`;
};

const needsApproval = (shown: ShownEvent, { people }: Draft): boolean =>
  shown.event.registration.approval || people.some((person) => typeOf(shown, person)?.approval === true);

const HOW_TO_PAY = { online: 'willPay', instructions: 'willPayByMail', ask: 'willPayAsk' } as const;

/** What happens next, said before it is booked. */
function note(site: Site, { shown, draft, total, room, way }: Asked): Html {
  const { t, words } = site;
  if (room !== null && room.outcome !== 'places') {
    const names = words.formats.list(room.fitting.map((i) => nameOf(draft, i)));
    const count = room.fitting.length;
    const offer = count === 0 ? '' : html`<p>${t('roomFor', { count, names })}</p>`;
    const text =
      room.outcome === 'waits'
        ? t(count === 0 ? 'willWait' : 'willWaitTogether')
        : count === 0
          ? words.find('refusals', 'event_full')!
          : t('noRoom');
    return html`<div class="notice warn"><p>${text}</p>${offer}</div>`;
  }
  if (needsApproval(shown, draft)) return html`<p class="notice">${t('willBeApproved')}</p>`;
  return total > 0 ? html`<p class="notice">${t(HOW_TO_PAY[way])}</p>` : html``;
}

/** What is left is offered first. Nobody can book what they would not get. */
function buttons(site: Site, asked: Asked): Html {
  const { t } = site;
  const { shown, room } = asked;
  const change = html`<button class="quiet" name="do" value="change">${t('change')}</button>`;
  const off = isDraft(shown) ? html` disabled` : '';
  const book = (text: string, look = html``) => html`<button${look}${off} name="do" value="book">${text}</button>`;
  if (room === null || room.outcome === 'places') return html`${book(label(site, asked))}${change}`;
  const count = room.fitting.length;
  const fitting = count === 0 ? '' : html`<button name="do" value="fitting">${t('onlyFitting', { count })}</button>`;
  return html`${fitting}${room.outcome === 'waits' ? book(t('joinWaitlist'), count === 0 ? html`` : html` class="quiet"`) : ''}${change}`;
}

function label({ t }: Site, { shown, draft, total, way }: Asked): string {
  if (needsApproval(shown, draft)) return t('request');
  return total > 0 && way === 'online' ? t('bookPaid') : t('book');
}
