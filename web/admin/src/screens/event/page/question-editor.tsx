import type { Question } from '@turnout/client';
import { Checkbox, Checkboxes, type FormParts, Radios, Select, TextArea, toast, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useClash } from '../../../parts/clash.ts';
import { History } from '../../../parts/history.tsx';
import { overNewest } from '../../../parts/over-newest.ts';
import { CodeField } from '../form/code-field.tsx';
import { PartEditor } from '../form/part-editor.tsx';
import {
  canBeFilter,
  emptyQuestion,
  hasOptions,
  KINDS,
  type Kind,
  MAX_FILTERABLE_QUESTIONS,
  newQuestion,
  type QuestionValues,
  questionChange,
  questionValues,
  sentQuestion,
} from '../form/question-values.ts';
import { NEW } from '../form/type-values.ts';
import type { Editors } from '../form/use-editors.ts';
import { Begin } from '../tickets/type-editor.tsx';
import { OptionsField } from './options-field.tsx';

const PLACES = { 'clash/attendee_types': 'asked' } as const;

/** What can be set of a question; `question` is null for one that is not made yet. */
export function QuestionEditor({
  question,
  editors,
  others,
}: {
  question: Question | null;
  editors: Editors<QuestionValues>;
  others?: ReactNode;
}) {
  const t = useWords('form');
  const { base } = useEvent();
  const refresh = useRefresh();
  const clash = useClash('changeQuestion', {
    textOf: (name, value) => (name === 'kind' ? t(`kind.${value as Kind}`) : undefined),
  });
  const id = question?.id ?? NEW;
  const save = async (now: QuestionValues, before: QuestionValues, { key }: { key: string }) => {
    if (question === null) await call('createQuestion', { ...base, body: newQuestion(now) }, { key });
    else {
      const body = questionChange(before, now);
      if (body === null) return;
      const at = { ...base, question: question.id };
      await overNewest(
        () => call('getQuestion', at),
        (saved, options) => {
          clash(sentQuestion(before), body, sentQuestion(questionValues(saved)));
          return call('changeQuestion', { ...at, body }, options);
        },
      );
    }
    await refresh('listQuestions');
  };
  return (
    <Begin active={question === null}>
      <PartEditor
        id={id}
        values={question === null ? emptyQuestion() : questionValues(question)}
        draft={editors.drafts.get(id)}
        follow={editors.follow}
        save={save}
        saved={() => {
          editors.close(id);
          toast(t(question === null ? 'questionAdded' : 'questionSaved'), 'good');
        }}
        onClose={() => editors.close(id)}
        places={PLACES}
        {...(question === null && { action: t('addQuestion') })}
        others={others}
      >
        {(parts) => <Fields parts={parts} question={question} />}
      </PartEditor>
      {question !== null && <History object={question.id} />}
    </Begin>
  );
}

function Fields({ parts, question }: { parts: FormParts<QuestionValues>; question: Question | null }) {
  const t = useWords('form');
  const { field, values, faultsIn } = parts;
  const [label, kind] = [field('label'), field('kind')];
  return (
    <>
      <TextArea
        label={t('label')}
        maxLength={500}
        rows={2}
        className="input label-field"
        {...label}
        // It may be long, but it is one line: Enter saves, and line breaks that are pasted become spaces.
        onChange={(text) => label.onChange(text.replace(/\s*\n\s*/g, ' '))}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <Select
        label={t('kind')}
        options={KINDS.map((one) => ({ value: one, label: t(`kind.${one}`) }))}
        hint={question !== null && values.kind !== question.kind ? t('kindChanged') : t(`kindHint.${values.kind}`)}
        {...kind}
        onChange={(next) => kind.onChange(next as Kind)}
      />
      {hasOptions(values.kind) && (
        <OptionsField
          faults={faultsIn('options')}
          {...(question?.options && { hint: t('optionsUsed') })}
          {...field('options')}
        />
      )}
      <Checkbox label={t('required')} {...field('required')} />
      <QuestionTypes parts={parts} />
      {canBeFilter(values.kind) && <Filterable parts={parts} question={question} />}
      <CodeField hint={question === null ? t('codeHint') : t('codeHintQuestion')} {...field('code')} />
    </>
  );
}

function QuestionTypes({ parts: { field, values } }: { parts: FormParts<QuestionValues> }) {
  const t = useWords('form');
  const { types } = useEvent();
  if (types.length < 2 && values.asked === 'all') return null;
  return (
    <>
      <Radios
        label={t('askedOf')}
        options={[
          { value: 'all', label: t('askedAll') },
          { value: 'some', label: t('askedSome') },
        ]}
        {...field('asked')}
      />
      {values.asked === 'some' && (
        <div className="indented">
          <Checkboxes
            label={t('whichTypes')}
            options={types.map(({ code, name }) => ({ value: code, label: name }))}
            {...field('attendee_types')}
          />
        </div>
      )}
    </>
  );
}

/** An event has at most ten questions by whose answers people are found. */
function Filterable({
  parts: { field, values },
  question,
}: {
  parts: FormParts<QuestionValues>;
  question: Question | null;
}) {
  const t = useWords('form');
  const { questions } = useEvent();
  const others = questions.filter(({ id, filterable }) => filterable && id !== question?.id).length;
  const isFull = others >= MAX_FILTERABLE_QUESTIONS && !values.filterable;
  return (
    <Checkbox
      label={t('filterable')}
      hint={
        isFull
          ? t('filterableFull', { most: MAX_FILTERABLE_QUESTIONS })
          : t('filterableHint', { used: others, most: MAX_FILTERABLE_QUESTIONS })
      }
      disabled={isFull}
      {...field('filterable')}
    />
  );
}
