import type { QuestionKind } from '@turnout/contract';
import type { Html } from '../../outside/mail-templates/markup.ts';
import type { QuestionRow } from '../events/index.ts';
import { choiceField, type Field, textField } from './fields.ts';
import type { Site } from './site.ts';

const INPUTS: Partial<Record<QuestionKind, NonNullable<Field['type']>>> = {
  email: 'email',
  phone: 'tel',
  number: 'number',
  date: 'date',
  long_text: 'textarea',
};

/** The field of a question, with what was typed. */
export function questionField(
  site: Site,
  { label, kind, required, options }: QuestionRow,
  { values, ...of }: { name: string; values: readonly string[]; fault: string | undefined },
): Html {
  const { t } = site;
  const common = { ...of, label, required };
  if (kind === 'yes_no') {
    const both = [
      { value: 'yes', label: t('yes') },
      { value: 'no', label: t('no') },
    ];
    return choiceField(site, { ...common, options: both, chosen: values, many: false });
  }
  if (kind === 'choice' || kind === 'choices') {
    const offered = options!.map((option) => ({ value: option, label: option }));
    return choiceField(site, { ...common, options: offered, chosen: values, many: kind === 'choices' });
  }
  return textField(site, {
    ...common,
    value: values[0] ?? '',
    type: INPUTS[kind] ?? 'text',
    autocomplete: 'off',
    maxlength: kind === 'long_text' ? 5000 : 500,
  });
}

/** A form sends texts. What is not of the kind that is asked for is sent on as it is, and refused by the same rule as the API's. */
export function answerOf(kind: QuestionKind, values: readonly string[]): unknown {
  const filled = values.filter((value) => value.trim() !== '');
  const [value] = filled;
  if (kind === 'choices') return filled.length === 0 ? undefined : filled;
  if (value === undefined) return undefined;
  if (kind === 'yes_no') return value === 'yes' ? true : value === 'no' ? false : value;
  if (kind === 'number')
    return /^[+-]?\d{1,30}([.,]\d{1,30})?$/.test(value.trim()) ? Number(value.trim().replace(',', '.')) : value;
  return kind === 'choice' || kind === 'long_text' ? value : value.trim();
}

/** An answer, as people read it. */
export function answerText(site: Site, answer: unknown): string {
  if (typeof answer === 'boolean') return site.t(answer ? 'yes' : 'no');
  if (typeof answer === 'number') return site.words.formats.number(answer, { maximumFractionDigits: 20 });
  return Array.isArray(answer) ? answer.map(String).join(', ') : String(answer);
}
