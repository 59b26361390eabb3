import { PERSON_FIELDS } from '@turnout/contract/person-fields';
import { useWords } from '@turnout/ui';
import { useEvent } from '../../../frame/event.tsx';
import { useAnswerText } from './answer-text.ts';
import { useLineText } from './booked/line-text.ts';

/** What the fields of a person are called, and their values in words. Answers are named `answers/` and the code of the question. */
export function useFieldWords(): { label: (name: string) => string; text: (name: string, value: unknown) => string } {
  const t = useWords('people');
  const person = useWords('person');
  const { questions, typeName, dayName, money } = useEvent();
  const answerText = useAnswerText();
  const lineText = useLineText();
  const labels: Readonly<Record<string, string>> = {
    ...{ total_minor: t('total'), paid_minor: t('paid'), send_emails: t('sendEmails'), contact: t('contact') },
  };
  return {
    label: (name) => {
      const code = name.startsWith('answers/') ? name.slice('answers/'.length) : null;
      if (code !== null) return questions.find((one) => one.code === code)?.label ?? code;
      if (Object.hasOwn(PERSON_FIELDS, name)) return person(name as keyof typeof PERSON_FIELDS);
      return Object.hasOwn(labels, name) ? labels[name]! : name;
    },
    text: (name, value) => {
      if (value === null || value === undefined) return '';
      if (name === 'attendee_type') return typeName(String(value));
      if (name === 'days' && Array.isArray(value)) return value.map((one) => dayName(String(one))).join(', ');
      if (name === 'products' && Array.isArray(value)) return value.map((line) => lineText(line)).join(', ');
      if (name.endsWith('_minor') && typeof value === 'number') return money(value);
      return answerText(value);
    },
  };
}
