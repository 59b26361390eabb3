import type { Question } from '@turnout/client';

export type Answers = Readonly<Record<string, unknown>>;
export type FormQuestion = Pick<Question, 'code' | 'label' | 'kind' | 'required' | 'options' | 'attendee_types'>;

/** The questions that somebody of a type is asked. */
export const questionsFor = <Q extends FormQuestion>(questions: readonly Q[], type: string): Q[] =>
  questions.filter(({ attendee_types }) => attendee_types?.includes(type) ?? true);

const isEmpty = (answer: unknown): boolean =>
  answer === undefined || answer === null || answer === '' || (Array.isArray(answer) && answer.length === 0);

/** What is sent: answers to the questions of the type, numbers as numbers, empty ones as null. Answers without a question stay. */
export function answersFor(
  questions: readonly FormQuestion[],
  type: string,
  answers: Answers,
): Record<string, unknown> {
  const known = new Set(questions.map(({ code }) => code));
  const sent: Record<string, unknown> = {};
  for (const [code, answer] of Object.entries(answers)) if (!known.has(code)) sent[code] = answer;
  for (const { code, kind } of questionsFor(questions, type)) {
    const answer = answers[code];
    if (answer === undefined) continue;
    if (isEmpty(answer)) sent[code] = null;
    else sent[code] = kind === 'number' && typeof answer === 'string' ? Number(answer.replace(',', '.')) : answer;
  }
  return sent;
}
