import { Checkboxes, EmailField, type FieldProps, Radios, Select, TextArea, TextField, useWords } from '@turnout/ui';
import { type Answers, type FormQuestion, questionsFor } from './answers.ts';
import { DateField } from './date-fields.tsx';

export { questionsFor } from './answers.ts';

interface AnswerFieldsProps {
  /** The path of the answers in the form: `answers`, or `attendees/0/answers`. */
  name: string;
  questions: readonly FormQuestion[];
  /** The type of the person; only questions for it are shown. */
  type: string;
  value: Answers;
  onChange: (answers: Record<string, unknown>) => void;
  /** `faultsIn('answers')` of the form. */
  faults?: Readonly<Record<string, string>>;
  /** At the desk or by hand, a required answer may be missing if the server lets it. */
  lenient?: boolean;
}

/** The event's questions as fields, for one person of a type. */
export function AnswerFields({ name, questions, type, value, onChange, faults = {}, lenient }: AnswerFieldsProps) {
  return questionsFor(questions, type).map((question) => (
    <AnswerField
      key={question.code}
      question={question}
      name={`${name}/${question.code}`}
      required={question.required && lenient !== true}
      value={value[question.code]}
      fault={faults[question.code]}
      onChange={(answer) => onChange({ ...value, [question.code]: answer })}
    />
  ));
}

const FEW = 5;

/** One question, by its kind. */
export function AnswerField({
  question: { label, kind, options },
  name,
  required,
  value,
  fault,
  onChange,
}: {
  question: FormQuestion;
  name: string;
  required: boolean;
  value: unknown;
  fault: string | undefined;
  onChange: (answer: unknown) => void;
}) {
  const t = useWords('parts');
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
  const field: FieldProps<string> = { label, name, required, fault, value: text, onChange };
  const list = (options ?? []).map((option) => ({ value: option, label: option }));
  switch (kind) {
    case 'long_text':
      return <TextArea {...field} maxLength={5000} />;
    case 'number':
      return <TextField {...field} inputMode="decimal" pattern="-?[0-9]+([.,][0-9]+)?" title={t('faultNumber')} />;
    case 'email':
      return <EmailField {...field} autoComplete="off" />;
    case 'phone':
      return <TextField {...field} type="tel" autoComplete="off" />;
    case 'date':
      return <DateField {...field} />;
    case 'yes_no': {
      const chosen = value === true ? 'yes' : value === false ? 'no' : '';
      const both = [
        { value: 'yes', label: t('yes') },
        { value: 'no', label: t('no') },
      ];
      return (
        <Select
          {...field}
          value={chosen}
          options={both}
          empty={t('noAnswer')}
          onChange={(next) => onChange(next === '' ? null : next === 'yes')}
        />
      );
    }
    case 'choice':
      if (list.length > FEW || !required) return <Select {...field} options={list} empty={t('noAnswer')} />;
      return <Radios {...field} options={list} />;
    case 'choices':
      return (
        <Checkboxes
          label={label}
          name={name}
          fault={fault}
          value={Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []}
          onChange={onChange}
          options={list}
        />
      );
    default:
      return <TextField {...field} maxLength={1000} />;
  }
}
