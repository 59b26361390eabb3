import type { Question, QuestionChange, QuestionCreate } from '@turnout/client';
import { differences, NEW } from './type-values.ts';

export type Kind = Question['kind'];
export const KINDS: readonly Kind[] = [
  ...(['text', 'long_text', 'choice', 'choices', 'yes_no'] as const),
  ...(['number', 'date', 'email', 'phone'] as const),
];
export const MAX_FILTERABLE_QUESTIONS = 10;
export const MAX_OPTIONS = 200;
export const hasOptions = (kind: Kind): boolean => kind === 'choice' || kind === 'choices';
export const canBeFilter = (kind: Kind): boolean => hasOptions(kind) || kind === 'yes_no';

/** A question as it is typed. Options are kept while another kind is tried. */
export interface QuestionValues {
  label: string;
  kind: Kind;
  options: string[];
  required: boolean;
  asked: 'all' | 'some';
  attendee_types: string[];
  filterable: boolean;
  code: string;
}

export const emptyQuestion = (): QuestionValues => ({
  ...{ label: '', kind: 'text', options: ['', ''], required: false, asked: 'all', attendee_types: [] },
  ...{ filterable: false, code: '' },
});

export const questionValues = (question: Question): QuestionValues => ({
  label: question.label,
  kind: question.kind,
  options: question.options ?? ['', ''],
  required: question.required,
  asked: question.attendee_types === null ? 'all' : 'some',
  attendee_types: question.attendee_types ?? [],
  filterable: question.filterable,
  code: question.code,
});

/** Without the empty lines. */
export const optionsOf = (options: readonly string[]): string[] =>
  options.map((option) => option.trim()).filter((option) => option !== '');

/** As the server has it. */
export const sentQuestion = (values: QuestionValues) => ({
  label: values.label,
  kind: values.kind,
  required: values.required,
  ...(hasOptions(values.kind) && { options: optionsOf(values.options) }),
  attendee_types: values.asked === 'all' ? null : values.attendee_types,
  filterable: values.filterable && canBeFilter(values.kind),
  ...(values.code !== '' && { code: values.code }),
});

export const newQuestion = (values: QuestionValues): QuestionCreate => sentQuestion(values);

/** Only what was changed, so that two people at once do not undo each other's changes. Null: nothing was. */
export const questionChange = (before: QuestionValues, now: QuestionValues): QuestionChange | null =>
  differences(sentQuestion(before), sentQuestion(now));

/** The question as it will be, for the preview. */
export const previewQuestion = (question: Question | null, values: QuestionValues, untitled: string): Question => ({
  ...{ id: NEW, created_at: '', updated_at: '' },
  options: null,
  ...sentQuestion(values),
  ...(question !== null && { id: question.id }),
  code: question?.code ?? NEW,
  label: values.label.trim() === '' ? untitled : values.label,
});
