import type { QuestionKind } from '@turnout/contract';
import Type from 'typebox';
import { bodyCheck } from '../../road/validate.ts';
import type { AttendeeTypeRow, QuestionRow } from '../events/index.ts';
import type { Findings, FormRules } from './input.ts';
import type { EventWorld } from './world.ts';

const isEmail = bodyCheck(Type.String({ format: 'email' }));
const isDate = bodyCheck(Type.String({ format: 'date' }));

/** What an answer must be, by the kind of its question; the fault in words, or null. */
const FAULT: Record<QuestionKind, (answer: unknown, question: QuestionRow) => string | null> = {
  text: (answer) => textFault(answer, 500),
  long_text: (answer) => textFault(answer, 5000),
  number: (answer) => (typeof answer === 'number' && Number.isFinite(answer) ? null : 'must be a number'),
  email: (answer) => (isEmail(answer).length === 0 ? null : 'must be an e-mail address'),
  phone: (answer) =>
    typeof answer === 'string' && /^[+\d][\d\s()./-]{2,49}$/.test(answer) ? null : 'must be a phone number',
  date: (answer) => (isDate(answer).length === 0 ? null : 'must be a date such as 2026-11-15'),
  yes_no: (answer) => (typeof answer === 'boolean' ? null : 'must be true or false'),
  choice: (answer, { options }) =>
    options!.includes(answer as string) ? null : `must be one of: ${options!.join(', ')}`,
  choices: (answer, { options }) =>
    Array.isArray(answer) && new Set(answer).size === answer.length && answer.every((one) => options!.includes(one))
      ? null
      : `must be a list of: ${options!.join(', ')}`,
};

const textFault = (answer: unknown, max: number): string | null => {
  if (typeof answer !== 'string') return 'must be text';
  return answer.length > max ? `must have at most ${max} characters` : null;
};

const isEmpty = (answer: unknown): boolean =>
  answer === undefined ||
  answer === null ||
  (typeof answer === 'string' && answer.trim() === '') ||
  (Array.isArray(answer) && answer.length === 0);

/** Answers by question code. Every fault is named; a question put to other types only is not one of this person's. */
export function checkAnswers(
  world: EventWorld,
  type: AttendeeTypeRow,
  given: Record<string, unknown>,
  path: string,
  rules: FormRules,
  findings: Findings,
): Record<string, unknown> {
  const asked = world.questions.filter(
    (question) => question.attendee_type_ids === null || question.attendee_type_ids.includes(type.id),
  );
  const answers: Record<string, unknown> = {};
  const known = new Set<string>();
  for (const question of asked) {
    const key = Object.keys(given).find((name) => name.toLowerCase() === question.code.toLowerCase());
    const answer = key === undefined ? undefined : given[key];
    if (key !== undefined) known.add(key);
    if (isEmpty(answer)) {
      // A "yes" that is required must be a yes (terms, consent); other kinds must say something.
      if (question.required && rules.requiredAnswers) {
        findings.unanswered.push({ path: `${path}/${question.code}`, message: `"${question.label}" needs an answer` });
      }
      continue;
    }
    const fault = FAULT[question.kind](answer, question);
    if (fault !== null) findings.faults.push({ path: `${path}/${question.code}`, message: fault });
    else answers[question.code] = answer;
  }
  for (const [name, answer] of Object.entries(given)) {
    if (known.has(name)) continue;
    if (rules.otherAnswers) answers[name] = answer;
    else
      findings.faults.push({ path: `${path}/${name}`, message: 'is not a question that this attendee type is asked' });
  }
  return answers;
}
