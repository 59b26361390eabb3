import type { Registration } from '@turnout/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Id, toUlid, toUuid } from '../../common/ids.ts';
import { networkOf } from '../../common/network.ts';
import { Refusal, refuse } from '../../common/refusal.ts';
import { wayToPay } from '../../outside/way-to-pay.ts';
import { visitorOf } from '../../road/for-areas/visitors.ts';
import { type Fields, LARGE_FORM } from '../../road/request/form-body.ts';
import { createRegistration } from '../registrations/index.ts';
import { checkDraft, type DraftCheck, fieldOf } from './check-draft.ts';
import { mostPeople } from './chooser.ts';
import { applyCode, type CodedEvent, isAboutCode } from './coded-event.ts';
import { networkKey } from './codes.ts';
import { donePage } from './done-page.ts';
import { codeIn, type Draft, draftOf, nobody, readDraft } from './draft.ts';
import { type FormState, formPage } from './form-page.ts';
import { MAX_AGE_MS, MIN_AGE_MS, makeToken, readToken } from './form-token.ts';
import { requireOwnForm } from './own-form.ts';
import { fieldsOf, onSite, type PageHandler, type PageParts, type PageRequest } from './parts.ts';
import { anythingUnseen } from './product-choices.ts';
import { sendLinks } from './send-links.ts';
import { isDraft, type ShownEvent, shownTo } from './shown.ts';
import { eventPath, hrefOf, type Site, siteOf } from './site.ts';
import { summaryPage } from './summary-page.ts';
import { countOf } from './visitor-limits.ts';

/** The form of an event: filled in, looked through, and sent. */
export function formPages(pages: FastifyInstance, parts: PageParts): void {
  pages.get('/o/:org/:event/register', onEvent(parts, open));
  pages.post('/o/:org/:event/register', { config: { form: LARGE_FORM } }, onEvent(parts, take));
  pages.get('/o/:org/:event/done', onEvent(parts, showDone));
}

interface Visit {
  parts: PageParts;
  site: Site;
  shown: ShownEvent;
  request: PageRequest;
  reply: FastifyReply;
}

/** A page of an event that this visitor may see. Its language is the event's unless the visitor wants another. */
const onEvent = (parts: PageParts, handler: (visit: Visit) => Promise<unknown>): ReturnType<typeof onSite> =>
  onSite(parts, (async ({ organization }, request, reply) => {
    const shown = (await shownTo(parts, organization, request, request.params.event!)) ?? refuse('not_found');
    const site = await siteOf(request, organization, shown.event.language);
    return handler({ parts, site, shown, request, reply });
  }) as PageHandler);

/** The same visit with what a code reveals; and what is wrong with the code, to be said beside its field. */
async function withCode(visit: Visit, code: string): Promise<{ visit: Visit; refused: CodedEvent['refused'] }> {
  const { shown, refused } = await applyCode(visit.parts, visit.site, visit.shown, visit.request, code);
  if (refused !== null) visit.reply.headers(refused.headers);
  return { visit: { ...visit, shown }, refused };
}

async function open(plain: Visit): Promise<unknown> {
  const { visit, refused } = await withCode(plain, codeIn(plain.request.query));
  const { shown, request, site, reply } = visit;
  if (shown.state !== 'open' || shown.types.length === 0)
    return reply.redirect(hrefOf(site, eventPath(shown.event)), 303);
  // A link with an old code still opens the form.
  const status = refused?.status === 429 ? 429 : 200;
  return showForm(visit, draftOf(request.query, shown), visit.parts.clock.now().getTime(), { refused, status });
}

/** A form was sent: for one more person or one fewer, to look through it, to change it again, or to book. */
async function take(plain: Visit): Promise<unknown> {
  requireOwnForm(plain.request, plain.parts.publicUrl);
  const fields = fieldsOf(plain.request);
  const draft = readDraft(fields);
  const { visit, refused } = await withCode(plain, draft.code);
  const { parts, site, shown } = visit;
  const action = fields.get('do') ?? 'review';
  const now = parts.clock.now().getTime();
  const token = readToken(parts.secrets, shown.event.id, draft.token);
  const opened = token?.opened ?? now;
  const status = refused?.status ?? 200;
  const again = (problem: string | null, as = status) =>
    showForm(visit, draft, opened, { problem, refused, status: as });
  if (shown.state !== 'open') return again(site.t(shown.state === 'not_yet' ? 'notYet' : 'closed'), 422);
  if (action === 'add')
    return showForm(visit, { ...draft, people: oneMore(shown, draft, fields) }, opened, { refused, status });
  if (action.startsWith('remove-')) {
    const gone = Number(action.slice('remove-'.length));
    const people = draft.people.filter((_, i) => i !== gone);
    return showForm(visit, { ...draft, people }, opened, { refused, status });
  }
  if (action === 'change' || action === 'code') return again(null);
  const checked = await checkDraft(parts, site, shown, refused === null ? draft : { ...draft, code: '' });
  if (refused !== null) return showForm(visit, draft, opened, { checked, refused, status });
  if (action !== 'book') for (const [field, fault] of checked.short) checked.faults.set(field, fault);
  if (checked.faults.size > 0 || checked.refusal !== null) {
    const problem = checked.refusal === null ? null : refusalText(site, checked.refusal);
    return showForm(visit, draft, opened, { problem, checked, status: 422 });
  }
  if (action === 'review' && anythingUnseen(shown, draft))
    return showForm(visit, draft, opened, { checked, notice: site.t('moreExtras') });
  const summary = (from: number, problem: string | null, status = 200) =>
    showSummary(visit, checked, draft, from, problem, status);
  if (action === 'fitting') return showFitting(visit, draft, checked, opened);
  if (action !== 'book') return summary(opened, null);
  if (isDraft(shown)) return summary(opened, site.t('previewNotSent'), 422);
  // Only programs fill in the hidden field, or send a form that nobody had the time to read. People get it back and send it again.
  const isHasty = token === null || now - token.opened < MIN_AGE_MS;
  if (isHasty || (fields.get('website') !== null && fields.get('website') !== ''))
    return summary(token === null ? now : opened, site.t('sendAgain'), 422);
  if (now - token.opened > MAX_AGE_MS) return summary(now, site.t('openForLong'), 422);
  // What the person saw is what is booked. A form without a total was not seen.
  if (draft.total === null) return summary(opened, null);
  const wait = await requireFewForms(visit);
  if (wait !== null) return summary(opened, wait, 429);
  return book(visit, draft, checked, token.id, opened);
}

function oneMore(shown: ShownEvent, { people }: Draft, fields: Fields): Draft['people'] {
  const type = shown.types.find(({ code }) => code === fields.get('add-type'));
  if (type === undefined || people.length >= mostPeople(shown)) return people;
  return [...people, nobody(type.code)];
}

interface Drawing {
  problem?: string | null;
  notice?: string;
  checked?: DraftCheck;
  refused?: CodedEvent['refused'];
  status?: number;
}

/** Draws the form with what was typed, and a new token. */
async function showForm(
  visit: Visit,
  draft: Draft,
  opened: number,
  { problem = null, notice, checked, refused = null, status = 200 }: Drawing = {},
): Promise<unknown> {
  const { parts, site, shown, reply } = visit;
  const { world } = checked ?? (await checkDraft(parts, site, shown, draft));
  const faults = new Map(checked?.faults);
  if (refused !== null) faults.set('code', { path: 'discount_code', message: refused.text });
  const state: FormState = {
    draft: { ...draft, token: makeToken(parts.secrets, shown.event.id, opened) },
    faults,
    problem,
    ...(notice !== undefined && { notice }),
  };
  return parts.layout.send(reply, site, formPage(site, shown, world, state), status);
}

/** The summary of those for whom there is room, without the others. */
async function showFitting(visit: Visit, draft: Draft, { room }: DraftCheck, opened: number): Promise<unknown> {
  const { parts, site, shown } = visit;
  const people = room!.fitting.map((i) => draft.people[i]!);
  const fewer = { ...draft, people: people.length === 0 ? draft.people : people };
  const checked = await checkDraft(parts, site, shown, fewer);
  return showSummary(visit, checked, fewer, opened, null);
}

async function showSummary(
  visit: Visit,
  { world, room, quote }: DraftCheck,
  draft: Draft,
  opened: number,
  problem: string | null,
  status = 200,
): Promise<unknown> {
  const { parts, site, shown, reply } = visit;
  const { event } = shown;
  const token = makeToken(parts.secrets, event.id, opened);
  // Nobody pays online for a test.
  const way = wayToPay(parts.outside.payments !== null && !event.test, event);
  const summary = summaryPage(site, shown, world, { ...draft, token }, { problem, room, way, quote });
  return parts.layout.send(reply, site, summary, status);
}

/** Counts the form for the address that it came from. Returns what to say if there were too many. */
async function requireFewForms({ parts, site, shown, request, reply }: Visit): Promise<string | null> {
  const seconds = await countOf(parts, `form ${shown.event.id} ${networkOf(request.ip)}`, parts.submissions);
  if (seconds === 0) return null;
  reply.header('Retry-After', String(seconds));
  return site.t('tooMany', { count: Math.ceil(seconds / 60) });
}

/** Registers, by the operation of the API and in the lane of the event. */
async function book(visit: Visit, draft: Draft, { body }: DraftCheck, form: Id, opened: number): Promise<unknown> {
  const { parts, site, shown, request, reply } = visit;
  const { organization } = site;
  const network = networkKey(parts, shown.event.id, request);
  const caller = visitorOf(organization, { id: form, name: 'Registration form', network }, parts.clock.now());
  const call = { params: { event: toUlid(shown.event.id) }, body, key: draft.token, requestId: request.id };
  let refusal: Refusal;
  try {
    const answer = await parts.visitors.perform(createRegistration, caller, call);
    const said = JSON.parse(String(answer.body)) as Registration & {
      error?: { code: Refusal['code']; message: string };
    };
    if (said.error === undefined) {
      parts.wakeMails();
      return reply.redirect(resultOf(visit, said), 303);
    }
    refusal = new Refusal(said.error.code, { message: said.error.message });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusal = error;
  }
  return showRefusal(visit, draft, opened, refusal);
}

/** Where the result is: at the link that the mail also brings. Where nobody may know who is registered, it is only in the mail. */
function resultOf({ parts, site, shown }: Visit, { id, contact }: Registration): string {
  const org = site.organization.org.id;
  const opens = { org, registration: toUuid(id), attendee: null, email: contact.email ?? '' };
  const token = parts.links.manageToken(opens, 'shown');
  const here = `${eventPath(shown.event)}/done`;
  if (shown.event.registration.unique_email) return hrefOf(site, here);
  return site.embedded ? hrefOf(site, here, { r: token }) : hrefOf(site, `/my/${token}`, { done: 'registered' });
}

async function showRefusal(visit: Visit, draft: Draft, opened: number, refusal: Refusal): Promise<unknown> {
  const { parts, site, shown, request, reply } = visit;
  if (tellsWhoIsRegistered(shown, refusal)) {
    await sendLinks(parts, site, shown.event.id, addressesOf(draft));
    return reply.redirect(hrefOf(site, `${eventPath(shown.event)}/done`), 303);
  }
  // The event as it is now: what was refused may be hidden, full or more expensive by now.
  const found = (await shownTo(parts, site.organization, request, toUlid(shown.event.id))) ?? refuse('not_found');
  const { visit: fresh, refused } = await withCode({ ...visit, shown: found }, draft.code);
  const { shown: now } = fresh;
  const text = refusalText(site, refusal);
  const checked = await checkDraft(parts, site, now, refused === null ? draft : { ...draft, code: '' });
  if (refusal.code === 'price_changed' && refused === null) {
    const newDraft = { ...draft, total: checked.quote.total_minor };
    return showSummary(fresh, checked, newDraft, opened, site.t('priceChanged'), 409);
  }
  const faults = new Map([...checked.faults, ...checked.short]);
  for (const fault of refusal.options.details ?? []) faults.set(fieldOf(now, draft, fault.path), fault);
  if (isAboutCode(refusal)) faults.set('code', { path: 'discount_code', message: text });
  const told = { problem: text, checked: { ...checked, faults }, refused, status: refusal.status };
  return showForm(fresh, draft, opened, told);
}

/** Refusals from which anybody could learn that an address is registered. Where nobody may know that, they are told by mail. */
const tellsWhoIsRegistered = ({ event }: ShownEvent, { code }: Refusal): boolean =>
  code === 'duplicate_email' || (code === 'too_many_unpaid_for_email' && event.registration.unique_email);

const addressesOf = ({ contact, people }: Draft): string[] => [
  ...new Set([contact.email, ...people.map(({ email }) => email)].map((email) => email.trim()).filter(Boolean)),
];

/** The words for programs that send a key twice would say nothing to somebody who went back to a form and changed it. */
const refusalText = ({ words, t }: Site, { code, message }: Refusal): string =>
  code === 'idempotency_key_reused' ? t('sendAgain') : (words.find('refusals', code) ?? message);

/** The last page, where the result is in the mail, or in a frame that must not show tickets. */
async function showDone({ parts, site, shown, request, reply }: Visit): Promise<unknown> {
  const { r } = request.query;
  const link =
    typeof r === 'string' && parts.links.readManage(r) !== null
      ? hrefOf({ ...site, embedded: false }, `/my/${r}`)
      : null;
  return parts.layout.send(reply, site, donePage(site, shown, link));
}
