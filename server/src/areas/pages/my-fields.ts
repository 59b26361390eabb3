import type { QuestionKind } from '@turnout/contract';
import type { Translate } from '@turnout/words';
import { type Html, html, join } from '../../outside/mail-templates/markup.ts';
import type { Fault } from '../../road/refusal.ts';
import type { QuestionRow } from '../events/index.ts';
import type { AttendeeState, EventWorld } from '../registrations/index.ts';
import type { Visit } from './my-visit.ts';

/** The questions that an attendee of this type is asked. */
export const askedOf = ({ questions }: EventWorld, { attendee_type_id }: AttendeeState): QuestionRow[] =>
  questions.filter(
    ({ attendee_type_ids }) => attendee_type_ids === null || attendee_type_ids.includes(attendee_type_id),
  );

export const answerField = ({ code }: QuestionRow): string => `answer-${code}`;

/** A field as it was typed. Browsers send line breaks as CR LF; PostgreSQL cannot store U+0000. */
export const typed = (fields: URLSearchParams, name: string): string =>
  (fields.get(name) ?? '').replaceAll('\r\n', '\n').replaceAll('\u0000', '').toWellFormed();

/** The answer in a form, as the API takes it. What was left empty is null, which removes an answer. */
export function answerIn(fields: URLSearchParams, question: QuestionRow): unknown {
  const name = answerField(question);
  if (question.kind === 'choices') {
    const chosen = [...new Set(fields.getAll(name))];
    return chosen.length === 0 ? null : chosen;
  }
  const text = typed(fields, name).trim();
  if (text === '') return null;
  if (question.kind === 'yes_no') return text === 'yes' ? true : text === 'no' ? false : text;
  if (question.kind !== 'number') return text;
  const number = Number(text.replace(',', '.'));
  return Number.isFinite(number) ? number : text;
}

/** Puts an answer into a form. */
export function fillAnswer(fields: URLSearchParams, question: QuestionRow, answer: unknown): void {
  const name = answerField(question);
  if (Array.isArray(answer)) for (const one of answer) fields.append(name, String(one));
  else if (typeof answer === 'boolean') fields.set(name, answer ? 'yes' : 'no');
  else if (answer !== undefined && answer !== null) fields.set(name, String(answer));
}

/** One field with its label, and what is wrong with it. */
interface Field {
  name: string;
  label: string;
  fault: string | undefined;
  optional?: string;
}

const describedBy = ({ name, fault }: Field): Html =>
  fault === undefined ? html`` : html` aria-invalid="true" aria-describedby="${name}-fault"`;

const below = ({ name, fault }: Field): Html =>
  fault === undefined ? html`` : html`<span class="fault" id="${name}-fault">${fault}</span>`;

const labelOf = ({ label, optional }: Field): Html =>
  optional === undefined ? html`${label}` : html`${label} <span class="soft">(${optional})</span>`;

const around = (field: Field, input: Html): Html =>
  html`<div class="field"><label for="${field.name}">${labelOf(field)}</label>${input}${below(field)}</div>`;

export const textField = (field: Field, value: string, type: string, autocomplete: string): Html =>
  around(
    field,
    html`<input id="${field.name}" name="${field.name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${describedBy(field)}>`,
  );

const INPUT: Partial<Record<QuestionKind, string>> = { email: 'email', phone: 'tel', date: 'date' };

/** The field of a question, filled with what stands in the form. */
export function questionField(
  t: Translate<'my'>,
  question: QuestionRow,
  fields: URLSearchParams,
  fault: string | undefined,
): Html {
  const name = answerField(question);
  const field: Field = { name, label: question.label, fault, ...(!question.required && { optional: t('optional') }) };
  const value = typed(fields, name);
  if (question.kind === 'long_text') {
    return around(
      field,
      html`<textarea id="${name}" name="${name}"${describedBy(field)}>
${value}</textarea>`,
    );
  }
  if (question.kind === 'choice' || question.kind === 'yes_no') {
    const options: [string, string][] =
      question.kind === 'choice'
        ? question.options!.map((one) => [one, one])
        : [
            ['yes', t('yes')],
            ['no', t('no')],
          ];
    const drawn = options.map(
      ([own, label]) => html`<option value="${own}"${own === value ? html` selected` : ''}>${label}</option>`,
    );
    return around(
      field,
      html`<select id="${name}" name="${name}"${describedBy(field)}><option value="">${t('choose')}</option>${join(drawn)}</select>`,
    );
  }
  if (question.kind === 'choices') {
    const chosen = new Set(fields.getAll(name));
    const boxes = question.options!.map(
      (one) =>
        html`<label class="choice"><input type="checkbox" name="${name}" value="${one}"${chosen.has(one) ? html` checked` : ''}> <span>${one}</span></label>`,
    );
    return html`<fieldset class="field"${describedBy(field)}><legend>${labelOf(field)}</legend><div>${join(boxes)}</div>${below(field)}</fieldset>`;
  }
  return textField(field, value, INPUT[question.kind] ?? 'text', 'off');
}

/** What is wrong with a field, in words: by its rule, else by the kind of its question. */
export function faultText({ site, t }: Visit, { rule, limit }: Fault, question?: QuestionRow): string {
  const said = (name: string, count?: number) =>
    site.words.find('refusals', `fault.${name}`, count === undefined ? {} : { count });
  if (rule !== undefined) return said(rule, limit) ?? t('notAccepted');
  switch (question?.kind) {
    case 'text':
      return said('too_long', 500)!;
    case 'long_text':
      return said('too_long', 5000)!;
    case 'number':
      return t('notNumber');
    case 'phone':
      return t('notPhone');
    case 'email':
      return said('not_email')!;
    case 'date':
      return said('not_date')!;
    case 'choice':
    case 'choices':
    case 'yes_no':
      return said('not_one_of')!;
    default:
      return t('notAccepted');
  }
}
