import { type Html, html, join } from '../../outside/mail-templates/markup.ts';
import type { Operation } from '../../road/operation.ts';
import { Fields } from '../../road/request/form-body.ts';
import { type AttendeeState, canDo, type SelfServiceAction } from '../registrations/index.ts';
import { faultText, textField } from './fields.ts';
import { keyField } from './key-field.ts';
import { answerField, answerIn, fillAnswer, questionsOf, typedText, valuesIn } from './my-fields.ts';
import { type Outcome, perform } from './my-perform.ts';
import { nameOf, placeIn, placePath, type Visit, type VisitHandler, within } from './my-visit.ts';
import { fieldsOf, type PageParts } from './parts.ts';
import { questionField } from './question-field.ts';
import { hrefOf } from './site.ts';

/** The two forms about one place: to change its names and answers, and to hand it to somebody else. */
interface PlaceForm {
  action: SelfServiceAction;
  path: string;
  operation: Operation;
  /** Whether the form asks for a new person: it begins empty and has an e-mail address. */
  isNew: boolean;
  done: 'changed' | 'handed';
}

/** What is wrong with a form, by the name of the field. */
type Faults = ReadonlyMap<string, string>;

const NAMES = [
  ['first_name', 'firstName', 'given-name'],
  ['last_name', 'lastName', 'family-name'],
] as const;

export const showForm =
  (parts: PageParts, form: PlaceForm): VisitHandler =>
  async (visit, request, reply) => {
    const place = placeIn(visit, request);
    if (!isPossible(visit, form, place)) return reply.redirect(within(visit, '', { done: 'stale' }), 303);
    return draw(parts, visit, form, place, prefilled(visit, form, place), new Map(), null)(reply);
  };

export const takeForm =
  (parts: PageParts, form: PlaceForm): VisitHandler =>
  async (visit, request, reply) => {
    const place = placeIn(visit, request);
    const fields = fieldsOf(request);
    const questions = questionsOf(visit.world, place);
    const body = {
      first_name: typedText(fields, 'first_name'),
      last_name: typedText(fields, 'last_name'),
      ...(form.isNew && { email: typedText(fields, 'email').trim() }),
      answers: Object.fromEntries(questions.map((question) => [question.code, answerIn(fields, question)])),
    };
    const outcome = await perform(parts, visit, request, form.operation, { attendee: place, body });
    if ('answer' in outcome) return reply.redirect(afterwards(visit, form), 303);
    if (outcome.refused === 'invalid_state') return reply.redirect(within(visit, '', { done: 'stale' }), 303);
    const isReused = outcome.refused === 'idempotency_key_reused';
    const faults = isReused ? new Map() : faultsOf(visit, place, fields, outcome);
    const notice = isReused
      ? visit.site.words.in('my')('sendAgain')
      : visit.site.words.find('refusals', 'validation_failed');
    return draw(parts, visit, form, place, fields, faults, notice)(reply, 422);
  };

/** Whoever hands their own place on has no link any more. */
const afterwards = (visit: Visit, { done }: PlaceForm): string =>
  done === 'handed' && visit.attendee !== null ? hrefOf(visit.site, '/my', { done }) : within(visit, '', { done });

const isPossible = ({ world, now, registration }: Visit, { action }: PlaceForm, place: AttendeeState): boolean =>
  canDo(action, { event: world.event, now }, registration, place);

function prefilled({ world }: Visit, { isNew }: PlaceForm, place: AttendeeState): Fields {
  const fields = new Fields();
  if (isNew) return fields;
  fields.append('first_name', place.first_name);
  fields.append('last_name', place.last_name);
  const given = new Map(Object.entries(place.answers).map(([code, answer]) => [code.toLowerCase(), answer]));
  for (const question of questionsOf(world, place))
    fillAnswer(fields, question, given.get(question.code.toLowerCase()));
  return fields;
}

/**
 * Every fault, beside its field. Missing answers are a refusal of their own, which comes only when there is no other fault. What is
 * wrong with an empty field is that it is empty, also if somebody typed spaces.
 */
function faultsOf(
  visit: Visit,
  place: AttendeeState,
  fields: Fields,
  { refused, details }: Exclude<Outcome, { answer: unknown }>,
): Faults {
  const { words } = visit.site;
  const faults = new Map<string, string>();
  const questions = new Map(questionsOf(visit.world, place).map((one) => [one.code, one]));
  for (const question of questions.values()) {
    if (question.required && answerIn(fields, question) === null) {
      faults.set(answerField(question), words.find('refusals', 'fault.required')!);
    }
  }
  if (refused !== 'validation_failed') return faults;
  for (const fault of details) {
    const question = questions.get(fault.path.replace(/^answers\//, ''));
    const name = question === undefined ? fault.path : answerField(question);
    const isEmpty = typedText(fields, name).trim() === '';
    faults.set(name, faultText(visit.site, isEmpty ? { ...fault, rule: 'required' } : fault));
  }
  return faults;
}

function draw(
  { layout }: PageParts,
  visit: Visit,
  form: PlaceForm,
  place: AttendeeState,
  fields: Fields,
  faults: Faults,
  notice: string | null,
): (reply: Parameters<VisitHandler>[2], status?: number) => Promise<unknown> {
  const { site, world } = visit;
  const t = site.words.in('my');
  const title = t(form.isNew ? 'handOnTitle' : 'changeTitle');
  const field = (name: string) => ({ name, value: typedText(fields, name), required: true, fault: faults.get(name) });
  const names = NAMES.map(([name, label, autocomplete]) =>
    textField(site, {
      ...field(name),
      label: t(label),
      autocomplete: form.isNew ? 'off' : autocomplete,
      maxlength: 200,
    }),
  );
  const email = form.isNew
    ? textField(site, { ...field('email'), label: t('email'), type: 'email', autocomplete: 'off', maxlength: 254 })
    : html``;
  const questions = questionsOf(world, place).map((one) => {
    const name = answerField(one);
    return questionField(site, one, { name, values: valuesIn(fields, one), fault: faults.get(name) });
  });
  const intro = form.isNew ? html`<p>${t('handOnText', { name: nameOf(place) })}</p>` : html``;
  const legend = form.isNew ? t('handOnNew') : nameOf(place);
  const said: Html | '' = notice === null ? '' : html`<div class="notice bad" role="alert"><p>${notice}</p></div>`;
  const content = html`<p class="soft">${world.event.name}</p><h1>${title}</h1>${intro}${said}<form method="post" action="${within(visit, placePath(place, form.path))}" novalidate>${keyField()}<fieldset><legend>${legend}</legend><div class="two">${join(names)}</div>${email}${join(questions)}</fieldset><div class="actions"><button>${t(form.isNew ? 'handOnConfirm' : 'save')}</button><a class="button quiet" href="${within(visit)}">${t('back')}</a></div></form>`;
  return (reply, status = 200) => layout.send(reply, site, { title, content, noindex: true }, status);
}
