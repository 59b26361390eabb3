import { Email, LocalDateInput, MAX_ANSWERS_BYTES, type QuestionKind } from '@turnout/contract';
import type { Fault } from '../../common/refusal.ts';
import { bodyCheck } from '../../road/request/validate.ts';
import type { AttendeeTypeRow, QuestionRow } from '../events/index.ts';
import type { Findings, FormRules } from './findings.ts';
import type { EventWorld } from './world.ts';

const isEmail = bodyCheck(Email());
const isDate = bodyCheck(LocalDateInput());
const LONGEST_ANSWER = 5000;

/** What is wrong with an answer; its path is that of the question. */
type Wrong = Omit<Fault, 'path'>;

/** Checks an answer by the kind of its question. Returns what is wrong with it, or null. */
const FAULT: Record<QuestionKind, (answer: unknown, question: QuestionRow) => Wrong | null> = {
  text: (answer) => textFault(answer, 500),
  long_text: (answer) => textFault(answer, LONGEST_ANSWER),
  number: (answer) =>
    typeof answer === 'number' && Number.isFinite(answer) ? null : { message: 'must be a number', rule: 'not_number' },
  email: (answer) =>
    isEmail(answer).length === 0 ? null : { message: 'must be an e-mail address', rule: 'not_email' },
  phone: (answer) =>
    typeof answer === 'string' && /^[+\d][\d\s()./-]{2,49}$/.test(answer)
      ? null
      : { message: 'must be a phone number', rule: 'not_phone' },
  date: (answer) => isDate(answer)[0] ?? null,
  yes_no: (answer) => (typeof answer === 'boolean' ? null : { message: 'must be true or false' }),
  choice: (answer, { options }) =>
    options!.includes(answer as string)
      ? null
      : { message: `must be one of: ${options!.join(', ')}`, rule: 'not_one_of' },
  choices: (answer, { options }) =>
    Array.isArray(answer) &&
    answer.length <= options!.length &&
    new Set(answer).size === answer.length &&
    answer.every((one) => options!.includes(one))
      ? null
      : { message: `must be a list of: ${options!.join(', ')}` },
};

const textFault = (answer: unknown, max: number): Wrong | null => {
  if (typeof answer !== 'string') return { message: 'must be text' };
  if (answer.length <= max) return null;
  return { message: `must have at most ${max} characters`, rule: 'too_long', limit: max };
};

const isEmpty = (answer: unknown): boolean =>
  answer === undefined ||
  answer === null ||
  (typeof answer === 'string' && answer.trim() === '') ||
  (Array.isArray(answer) && answer.length === 0);

/** All answers of an attendee together are bounded, even if they came in several calls. Returns the fault, or null. */
export const tooMuchFault = (answers: Record<string, unknown>): string | null =>
  Buffer.byteLength(JSON.stringify(answers)) > MAX_ANSWERS_BYTES
    ? `must not be more than ${MAX_ANSWERS_BYTES.toLocaleString('en')} bytes of JSON for one attendee`
    : null;

/**
 * Checks answers, which are keyed by question code, and returns those to store. Every way to register goes through here. All faults
 * are collected. A question that is only asked of other attendee types is unknown to this attendee.
 *
 * `storedAnswers` are the answers that the attendee already has. Among them may be answers to deleted questions, and columns that an
 * import kept under their heading. These stay, and may be changed (as text) or removed; `rules.otherAnswers` says whether the
 * caller may add new ones.
 */
export function checkAnswers(
  world: EventWorld,
  type: AttendeeTypeRow,
  sentAnswers: Record<string, unknown>,
  path: string,
  rules: Pick<FormRules, 'requiredAnswers' | 'otherAnswers'>,
  findings: Findings,
  storedAnswers: Record<string, unknown> = {},
): Record<string, unknown> {
  const questions = world.questions.filter(
    (question) => question.attendee_type_ids === null || question.attendee_type_ids.includes(type.id),
  );
  const sentNames = byLowerCase(sentAnswers);
  const storedNames = byLowerCase(storedAnswers);
  const known = new Set<string>();
  const answers: [string, unknown][] = [];
  for (const question of questions) {
    const code = question.code.toLowerCase();
    const [key, source] = sentNames.has(code)
      ? [sentNames.get(code), sentAnswers]
      : [storedNames.get(code), storedAnswers];
    const answer = key === undefined ? undefined : source[key];
    for (const name of [sentNames.get(code), storedNames.get(code)]) if (name !== undefined) known.add(name);
    if (isEmpty(answer)) {
      if (question.required && rules.requiredAnswers) {
        findings.unanswered.push({
          path: `${path}/${question.code}`,
          message: `"${question.label}" needs an answer`,
          rule: 'required',
        });
      }
      continue;
    }
    const fault = FAULT[question.kind](answer, question);
    if (fault !== null) findings.faults.push({ ...fault, path: `${path}/${question.code}` });
    else answers.push([question.code, answer]);
  }
  for (const [name, answer] of Object.entries({ ...storedAnswers, ...sentAnswers })) {
    if (known.has(name)) continue;
    const isSent = Object.hasOwn(sentAnswers, name);
    const fault = isSent ? otherFault(answer, rules.otherAnswers || Object.hasOwn(storedAnswers, name)) : null;
    if (fault !== null) findings.faults.push({ ...fault, path: `${path}/${name}` });
    else if (!isEmpty(answer)) answers.push([name, answer]);
  }
  const all = Object.fromEntries(answers);
  const fault = tooMuchFault(all);
  if (fault !== null) findings.faults.push({ path, message: fault });
  return all;
}

/** Checks an answer that belongs to no question of the event: it must be text, if it is allowed at all. */
function otherFault(answer: unknown, allowed: boolean): Wrong | null {
  if (!allowed) return { message: 'is not a question that this attendee type is asked' };
  return isEmpty(answer) ? null : textFault(answer, LONGEST_ANSWER);
}

/** The names by their lower case, as a map: searching the list for each question would take time that grows with the square. */
function byLowerCase(answers: Record<string, unknown>): Map<string, string> {
  const names = new Map<string, string>();
  for (const name of Object.keys(answers)) {
    const lower = name.toLowerCase();
    if (!names.has(lower)) names.set(lower, name);
  }
  return names;
}
