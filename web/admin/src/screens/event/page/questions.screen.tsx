import type { Question } from '@turnout/client';
import { Badge, Button, EmptyState, toast, useFormats, useWords } from '@turnout/ui';
import { useMemo, useState } from 'react';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { asShown, newestOf } from '../../../parts/over-newest.ts';
import { DeletePart } from '../form/delete-part.tsx';
import { FormPage, useMayEdit } from '../form/form-page.tsx';
import { PartItem, PartList, useFocusBack } from '../form/part-list.tsx';
import { emptyQuestion, previewQuestion, type QuestionValues } from '../form/question-values.ts';
import { NEW } from '../form/type-values.ts';
import { type Editors, useEditors } from '../form/use-editors.ts';
import { QuestionEditor } from './question-editor.tsx';

/** What people are asked when they register. */
export default function Questions() {
  const t = useWords('form');
  const { questions, types } = useEvent();
  const edits = useMayEdit();
  const editors = useEditors<QuestionValues>('question');
  const [deleting, setDeleting] = useState<Question | null>(null);
  const adding = edits && editors.isOpen(NEW);
  useFocusBack(adding, () => document.querySelector<HTMLElement>('[data-add]'));
  const add = edits && !adding && (
    <Button kind="main" data-add="" onClick={() => editors.open(NEW)}>
      {t('addQuestion')}
    </Button>
  );
  const toggle = (question: Question) => {
    const [first] = question.attendee_types ?? [];
    // The preview shows the form of somebody who is asked it.
    editors.toggle(question.id, first === undefined ? {} : { as: first });
  };
  return (
    <FormPage
      title={t('questions')}
      lead={t('questionsLead')}
      actions={questions.length > 0 && add}
      preview={{ questions: usePreview(editors), current: editors.current, unsaved: editors.drafts.size > 0 }}
    >
      {questions.length === 0 && !adding && (
        <EmptyState title={t('noQuestionsTitle')} action={add}>
          {t('noQuestionsText')}
        </EmptyState>
      )}
      {(questions.length > 0 || adding) && (
        <PartList label={t('questions')}>
          {questions.map((question, i) => (
            <PartItem
              key={question.id}
              before={i + 1}
              name={question.label}
              meta={<QuestionMeta question={question} types={types} />}
              open={edits && editors.isOpen(question.id)}
              unsaved={editors.drafts.has(question.id)}
              onToggle={edits ? () => toggle(question) : undefined}
            >
              <QuestionEditor
                question={question}
                editors={editors}
                others={
                  <Button kind="danger" size="small" onClick={() => setDeleting(question)}>
                    {t('delete')}
                  </Button>
                }
              />
            </PartItem>
          ))}
          {adding && (
            <PartItem before={questions.length + 1} name={t('newQuestion')} open unsaved={editors.drafts.has(NEW)}>
              <QuestionEditor question={null} editors={editors} />
            </PartItem>
          )}
        </PartList>
      )}
      {deleting !== null && (
        <DeleteQuestion
          question={deleting}
          onClose={() => setDeleting(null)}
          onGone={() => {
            setDeleting(null);
            editors.close(deleting.id);
          }}
        />
      )}
    </FormPage>
  );
}

/** The questions as they will be; a new one is the last. */
function usePreview({ drafts, current }: Editors<QuestionValues>): Question[] {
  const t = useWords('form');
  const { questions } = useEvent();
  return useMemo(() => {
    const untitled = t('newQuestion');
    const changed = questions.map((question) => {
      const draft = drafts.get(question.id);
      return draft === undefined ? question : previewQuestion(question, draft, untitled);
    });
    const draft = drafts.get(NEW) ?? (current === NEW ? emptyQuestion() : undefined);
    return draft === undefined ? changed : [...changed, previewQuestion(null, draft, untitled)];
  }, [questions, drafts, current, t]);
}

function QuestionMeta({
  question: { kind, options, required, attendee_types, filterable },
  types,
}: {
  question: Question;
  types: readonly { code: string; name: string }[];
}) {
  const t = useWords('form');
  const formats = useFormats();
  const names = types.filter(({ code }) => attendee_types?.includes(code)).map(({ name }) => name);
  return (
    <>
      <span>
        {t(`kind.${kind}`)}
        {options !== null && ` (${formats.number(options.length)})`}
        {attendee_types !== null && ` · ${t('onlyFor', { types: formats.list(names) })}`}
      </span>
      {required && <Badge icon={null}>{t('required')}</Badge>}
      {filterable && <Badge>{t('isFilter')}</Badge>}
    </>
  );
}

function DeleteQuestion({
  question: opened,
  onClose,
  onGone,
}: {
  question: Question;
  onClose: () => void;
  onGone: () => void;
}) {
  const t = useWords('form');
  const { base, questions } = useEvent();
  const refresh = useRefresh();
  const question = newestOf(questions, opened);
  return (
    <DeletePart
      title={t('deleteQuestionTitle')}
      used={[]}
      instead=""
      work={() =>
        asShown(
          question,
          (options) => call('deleteQuestion', { ...base, question: question.id }, options),
          () => refresh('listQuestions'),
        )
      }
      done={() => {
        onGone();
        toast(t('questionDeleted'), 'good');
        void refresh('listQuestions');
      }}
      onClose={onClose}
    >
      <p>
        <strong>
          <bdi>{question.label}</bdi>
        </strong>
      </p>
      <p>{t('deleteQuestionText', { code: question.code })}</p>
    </DeletePart>
  );
}
