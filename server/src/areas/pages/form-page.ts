import type { Fault } from '../../common/refusal.ts';
import { Html, html, join } from '../../outside/mail-templates/markup.ts';
import type { QuestionRow } from '../events/index.ts';
import type { EventWorld } from '../registrations/index.ts';
import { mostPeople } from './chooser.ts';
import { codeField, codeQuery } from './code-field.ts';
import { ticketPrice } from './code-prices.ts';
import { type Draft, isSelf, type Person, questionsFor, typeOf } from './draft.ts';
import { leftTag, previewNotice } from './event-parts.ts';
import { choiceField, faultList, faultText, hiddenField, textField } from './fields.ts';
import { choosableDays, hasChoiceOfDays, offersTo, productsField, type Taker } from './offers.ts';
import { productFields } from './product-fields.ts';
import { questionField } from './question-field.ts';
import type { ShownEvent } from './shown.ts';
import { eventPath, hrefOf, type Page, type Site } from './site.ts';
import { dayName } from './when.ts';

export interface FormState {
  draft: Draft;
  /** By the name of the field. */
  faults: ReadonlyMap<string, Fault>;
  /** Why the form as a whole was not taken. */
  problem: string | null;
  /** Something to be said that is not wrong, such as that there is more to choose from now. */
  notice?: string;
}

/** The form: who registers, and for each person what the event asks. */
export function formPage(site: Site, shown: ShownEvent, world: EventWorld, state: FormState): Page {
  const { t } = site;
  const { event } = shown;
  const title = t('formTitle', { event: event.name });
  const form = html`<form class="register" method="post" action="${hrefOf(site, `${eventPath(event)}/register`)}"${checks(site)}><button class="trap" name="do" value="review" tabindex="-1" aria-hidden="true">${t('toSummary')}</button>${hiddenField('token', state.draft.token)}${trap(site)}${contact(site, state)}${join(state.draft.people.map((person, i) => place(site, shown, world, state, person, i)))}${together(site, shown, state)}${another(site, shown, state)}${codeField(site, shown, { code: state.draft.code, fault: textOf(site, state.faults.get('code')) })}<div class="actions"><button name="do" value="review">${t('toSummary')}</button><a class="button quiet" href="${hrefOf(site, eventPath(event), codeQuery(state.draft.code))}">${t('back')}</a></div></form>`;
  return {
    title,
    content: html`${previewNotice(site, shown)}<h1 dir="auto">${title}</h1>${problems(site, shown, world, state)}${notice(state)}${form}`,
    noindex: true,
  };
}

/** What the script says beside a field while somebody types, in the words of the page. */
const checks = (site: Site): Html =>
  html` data-offline="${site.t('offline')}" data-required="${faultText(site, { path: '', message: '', rule: 'required' })}" data-email="${faultText(site, { path: '', message: '', rule: 'not_email' })}"`;

/** People do not see this field, so only programs fill it in. */
const trap = (site: Site): Html =>
  html`<div class="trap" aria-hidden="true"><label>${site.t('leaveEmpty')} <input name="website" tabindex="-1" autocomplete="off"></label></div>`;

function contact(site: Site, { draft, faults }: FormState): Html {
  const { t } = site;
  const { first, last, email, phone } = draft.contact;
  const fault = (name: string) => textOf(site, faults.get(name));
  return html`<fieldset><legend>${t('yourDetails')}</legend><div class="two">${textField(site, { name: 'c-first', label: t('firstName'), value: first, required: true, autocomplete: 'given-name', maxlength: 200, fault: fault('c-first') })}${textField(site, { name: 'c-last', label: t('lastName'), value: last, required: true, autocomplete: 'family-name', maxlength: 200, fault: fault('c-last') })}</div>${textField(site, { name: 'c-email', label: t('email'), value: email, type: 'email', required: true, autocomplete: 'email', maxlength: 254, hint: t('emailHint'), fault: fault('c-email') })}${textField(site, { name: 'c-phone', label: t('phone'), value: phone, type: 'tel', autocomplete: 'tel', maxlength: 50, fault: fault('c-phone') })}</fieldset>`;
}

function place(site: Site, shown: ShownEvent, world: EventWorld, state: FormState, person: Person, i: number): Html {
  const { t } = site;
  const type = typeOf(shown, person);
  const many = state.draft.people.length > 1;
  const legend = html`${many ? `${i + 1}. ` : ''}<span dir="auto">${type?.name ?? person.type}</span> <span class="soft">${type === undefined ? '' : ticketPrice(site, shown, type)}</span>`;
  const typeFault = textOf(site, state.faults.get(`p${i}-type`));
  const remove = many
    ? html`<button class="link" name="do" value="remove-${i}" formnovalidate>${t('removePerson')}</button>`
    : '';
  const questions = questionsFor(world, person);
  const extras = productsOf(site, shown, state, i);
  if (!many && questions.length === 0 && extras === null && !hasChoiceOfDays(shown, person)) {
    return html`${hiddenField(`p${i}-type`, person.type)}<details class="field"${open(state, i)}><summary>${t('forSomebodyElse')}</summary>${names(site, state, person, i)}</details>`;
  }
  return html`<fieldset><legend>${legend}</legend>${hiddenField(`p${i}-type`, person.type)}${typeFault === undefined ? '' : html`<span class="fault" id="p${i}-type">${typeFault}</span>`}${i === 0 ? html`<details class="field"${open(state, i)}><summary>${t('forSomebodyElse')}</summary>${names(site, state, person, i)}</details>` : names(site, state, person, i)}${daysOf(site, shown, state, person, i)}${join(questions.map((question) => answer(site, state, question, person, i)))}${extras ?? ''}${remove}</fieldset>`;
}

/** What a taker can book beside the ticket; null if there is nothing, and nothing to say about it. */
function productsOf(site: Site, shown: ShownEvent, { draft, faults }: FormState, taker: Taker): Html | null {
  const offers = offersTo(shown, draft, taker);
  const fault = (field: string) => textOf(site, faults.get(field));
  if (offers.length === 0 && fault(productsField(taker)) === undefined) return null;
  const typed = taker === 'all' ? draft.together : draft.people[taker]!.products;
  return productFields(site, shown, offers, { taker, typed, fault });
}

/** What is taken once for everybody. */
function together(site: Site, shown: ShownEvent, state: FormState): Html {
  const extras = productsOf(site, shown, state, 'all');
  if (extras === null) return html``;
  const title = site.t(state.draft.people.length > 1 ? 'extrasTogether' : 'extras');
  return html`<fieldset><legend>${title}</legend>${extras}</fieldset>`;
}

const notice = ({ notice: text }: FormState): Html =>
  text === undefined ? html`` : html`<div class="notice" role="status"><p>${text}</p></div>`;

const open = ({ draft, faults }: FormState, i: number): Html =>
  !isSelf(draft, i) || ['first', 'last', 'email'].some((name) => faults.has(`p${i}-${name}`))
    ? new Html(' open')
    : html``;

/** Whoever registers comes in the first place. Names are only asked for everybody else. */
function names(site: Site, { faults }: FormState, { first, last, email }: Person, i: number): Html {
  const { t } = site;
  const required = i > 0;
  const fault = (name: string) => textOf(site, faults.get(`p${i}-${name}`));
  return html`<div class="two">${textField(site, { name: `p${i}-first`, label: t('firstName'), value: first, required, autocomplete: 'off', maxlength: 200, fault: fault('first') })}${textField(site, { name: `p${i}-last`, label: t('lastName'), value: last, required, autocomplete: 'off', maxlength: 200, fault: fault('last') })}</div>${textField(site, { name: `p${i}-email`, label: t('email'), value: email, type: 'email', autocomplete: 'off', maxlength: 254, hint: t('personEmailHint'), fault: fault('email') })}`;
}

function daysOf(site: Site, shown: ShownEvent, { faults }: FormState, person: Person, i: number): Html {
  if (!hasChoiceOfDays(shown, person)) return html``;
  const options = choosableDays(typeOf(shown, person)!, shown).map((day) => ({
    value: day.code,
    label: dayName(site, shown.event, day),
    note: leftTag(site, shown.left.days.get(day.id)!),
  }));
  const name = `p${i}-days`;
  const fault = faults.has(name) ? site.t('chooseDays') : undefined;
  return choiceField(site, {
    name,
    label: site.t('days'),
    options,
    chosen: person.days,
    many: true,
    required: true,
    fault,
  });
}

const answer = (site: Site, { faults }: FormState, question: QuestionRow, { answers }: Person, i: number): Html => {
  const name = `p${i}-q-${question.code}`;
  return questionField(site, question, {
    name,
    values: answers.get(question.code) ?? [],
    fault: textOf(site, faults.get(name)),
  });
};

/** One more person, without losing what was typed. */
function another(site: Site, shown: ShownEvent, { draft }: FormState): Html {
  const { t } = site;
  const offered = shown.types.filter((type) => shown.left.types.get(type.id) !== 'sold_out');
  if (draft.people.length >= mostPeople(shown) || offered.length === 0) return html``;
  const options = offered.map((type) => html`<option value="${type.code}">${type.name}</option>`);
  const which =
    offered.length === 1
      ? hiddenField('add-type', offered[0]!.code)
      : html`<select name="add-type" aria-label="${t('whichType')}">${join(options)}</select>`;
  return html`<div class="field add">${which}<button class="quiet" name="do" value="add" formnovalidate>${t('addPerson')}</button></div>`;
}

const textOf = (site: Site, fault: Fault | undefined): string | undefined =>
  fault === undefined ? undefined : faultText(site, fault);

/** What is wrong, above the form. */
function problems(site: Site, shown: ShownEvent, world: EventWorld, { faults, problem, draft }: FormState): Html {
  if (faults.size === 0 && problem === null) return html``;
  const rows = [...faults]
    .filter(([name]) => name !== '')
    .map(([name, fault]) => ({
      name,
      label: labelOf(site, shown, world, draft, name),
      text: name.endsWith('-days') ? site.t('chooseDays') : faultText(site, fault),
    }));
  const whole = faults.get('');
  const title = problem ?? (whole === undefined ? site.t('faults', { count: faults.size }) : faultText(site, whole));
  return faultList(title, rows);
}

function labelOf(site: Site, shown: ShownEvent, world: EventWorld, { people }: Draft, name: string): string {
  const { t } = site;
  if (name === 'code') return t('code');
  const [, who, what = ''] = /^(c|r|p\d+)-(.*)$/s.exec(name) ?? [];
  const [, productCode] = /^x-([^.]*)/.exec(what) ?? [];
  const question = what.startsWith('q-') ? world.questions.find(({ code }) => code === what.slice(2)) : undefined;
  const labels: Record<string, string> = {
    first: t('firstName'),
    last: t('lastName'),
    email: t('email'),
    phone: t('phone'),
    days: t('days'),
    type: t('whichType'),
    x: t('extras'),
  };
  const product = shown.products.find(({ code }) => code === productCode);
  const label = question?.label ?? product?.name ?? labels[what] ?? what;
  return who === undefined || who === 'c' || who === 'r' || people.length === 1
    ? label
    : `${Number(who.slice(1)) + 1}. ${label}`;
}
