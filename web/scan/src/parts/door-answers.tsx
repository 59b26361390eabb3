import type { DoorAnswer } from '../engine/types.ts';
import { textOf } from './answer-words.ts';
import { formats, t } from './words.ts';

/** The person's answers that the event shows at the door. A scan that was stored by an earlier version has none. */
export const DoorAnswers = ({
  answers = [],
  class: className = '',
}: {
  answers?: readonly DoorAnswer[] | undefined;
  class?: string;
}) =>
  answers.map(({ label, answer }) => (
    <small key={label} class={`door-given ${className}`}>
      {label}: <bdi>{answerText(answer)}</bdi>
    </small>
  ));

const answerText = (answer: unknown): string =>
  Array.isArray(answer)
    ? formats().list(answer.map(answerText))
    : typeof answer === 'boolean'
      ? t(answer ? 'yes' : 'no')
      : typeof answer === 'number'
        ? formats().number(answer)
        : textOf(String(answer));
