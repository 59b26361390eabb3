import type { Fields } from '../../road/request/form-body.ts';
import type { QuestionRow } from '../events/index.ts';
import type { AttendeeState, EventWorld } from '../registrations/index.ts';
import { answerOf } from './question-field.ts';

/** The questions that an attendee of this type is asked. */
export const questionsOf = ({ questions }: EventWorld, { attendee_type_id }: AttendeeState): QuestionRow[] =>
  questions.filter(
    ({ attendee_type_ids }) => attendee_type_ids === null || attendee_type_ids.includes(attendee_type_id),
  );

export const answerField = ({ code }: QuestionRow): string => `answer-${code}`;

/** A field as it was typed. Browsers send line breaks as CR LF; PostgreSQL cannot store U+0000. */
export const typedText = (fields: Fields, name: string): string =>
  (fields.get(name) ?? '').replaceAll('\r\n', '\n').replaceAll('\u0000', '').toWellFormed();

/** The answer in a form, as the API takes it. What was left empty is null, which removes an answer. */
export const answerIn = (fields: Fields, question: QuestionRow): unknown =>
  answerOf(question.kind, valuesIn(fields, question)) ?? null;

/** What stands in the form for a question. */
export const valuesIn = (fields: Fields, question: QuestionRow): string[] => {
  const name = answerField(question);
  return question.kind === 'choices' ? [...new Set(fields.getAll(name))] : [typedText(fields, name)];
};

/** Puts an answer into a form. */
export function fillAnswer(fields: Fields, question: QuestionRow, answer: unknown): void {
  const name = answerField(question);
  if (Array.isArray(answer)) for (const one of answer) fields.append(name, String(one));
  else if (typeof answer === 'boolean') fields.append(name, answer ? 'yes' : 'no');
  else if (answer !== undefined && answer !== null) fields.append(name, String(answer));
}
