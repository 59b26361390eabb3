import { Problem } from '@turnout/client';
import { Button, Checkbox, Dialog, Form, Notice, Select, Submit, TextArea, useFormats, useWords } from '@turnout/ui';
import { useEffect, useRef, useState } from 'react';
import { useEvent } from '../../../frame/event.tsx';
import { AnswerField } from '../../../parts/answer-fields.tsx';
import { DaysField, GroupField, TypeField } from '../../../parts/fields.tsx';
import { useStartBulk } from './bulk.ts';
import { type BulkAction, itemsOf, MAX_IDS, type Source, TooMany } from './bulk-items.ts';
import { type BulkValues, EMPTY, extrasOf } from './bulk-values.ts';

/** These have something to fill in. */
const ASKS: readonly BulkAction[] = ['cancel', 'decline', 'reissue', 'change'];

/** Asks before a bulk action, for what it needs to know; then starts it. */
export function BulkDialog({
  action,
  source,
  count,
  onClose,
}: {
  action: BulkAction;
  source: Source;
  /** How many are selected; null if nobody counted. */
  count: number | null;
  onClose: () => void;
}) {
  const t = useWords('people');
  const [tooMany, setTooMany] = useState(false);
  const formats = useFormats();
  const startBulk = useStartBulk();
  const { days } = useEvent();
  const buttons = useRef<HTMLDivElement>(null);
  // Where there is nothing to fill in, Enter confirms.
  useEffect(() => {
    if (!ASKS.includes(action)) buttons.current?.querySelector<HTMLElement>('[type=submit]')?.focus();
  }, [action]);
  const submit = async (values: BulkValues, options: { key: string }) => {
    setTooMany(false);
    try {
      const items = await itemsOf(source);
      await startBulk(action, items, extrasOf(action, values, days), options);
      return true;
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (!(error instanceof TooMany)) throw error;
      setTooMany(true);
      return false;
    }
  };
  return (
    <Dialog title={t(`bulk.${action}`)} onClose={onClose}>
      <Form
        careless
        values={{ ...EMPTY, send: true }}
        places={PLACES}
        submit={submit}
        done={(started) => {
          if (!started) return;
          source.selection.clear();
          onClose();
        }}
      >
        {({ values, field, set }) => (
          <>
            <p>{count === null ? t('bulkAll') : t('bulkCount', { count })}</p>
            <p className="soft">{t(`bulkText.${action}`)}</p>
            {(action === 'cancel' || action === 'decline') && (
              <TextArea label={t('reason')} required={false} maxLength={500} {...field('reason')} />
            )}
            {action === 'reissue' && <Checkbox label={t('sendNew')} {...field('send')} />}
            {action === 'change' && <ChangeFields values={values} field={field} set={set} />}
            {tooMany && <Notice tone="bad">{t('bulkTooMany', { most: formats.number(MAX_IDS) })}</Notice>}
            <div className="buttons" ref={buttons}>
              <Submit {...((action === 'cancel' || action === 'decline') && { kind: 'danger-main' as const })}>
                {t(`bulkDo.${action}`)}
              </Submit>
              <Button kind="quiet" onClick={onClose}>
                {t('back')}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

const PLACES = {
  'change/attendee_type': 'attendee_type',
  'change/days': 'days',
  'change/group': 'group',
  'change/answers': 'answer',
} as const;

type Field = <Name extends keyof BulkValues & string>(
  name: Name,
) => { name: string; value: BulkValues[Name]; onChange: (value: BulkValues[Name]) => void; fault: string | undefined };

/** One thing at a time: the type, the days, the group or one answer of everybody who is selected. */
function ChangeFields({
  values,
  field,
  set,
}: {
  values: BulkValues;
  field: Field;
  set: (change: Partial<BulkValues>) => void;
}) {
  const t = useWords('people');
  const person = useWords('person');
  const { questions, days } = useEvent();
  const question = questions.find(({ code }) => values.what === `answer.${code}`);
  return (
    <>
      <Select
        label={t('changeWhat')}
        {...field('what')}
        onChange={(what) => set({ what, answer: undefined })}
        options={[
          { value: 'attendee_type', label: person('attendee_type') },
          ...(days.length > 0 ? [{ value: 'days', label: person('days') }] : []),
          { value: 'group', label: person('group') },
          ...questions.map(({ code, label }) => ({ value: `answer.${code}`, label })),
        ]}
      />
      {values.what === 'attendee_type' && <TypeField {...field('attendee_type')} />}
      {values.what === 'days' && <DaysField {...field('days')} />}
      {values.what === 'group' && <GroupField {...field('group')} />}
      {question !== undefined && <AnswerField question={question} required={false} {...field('answer')} />}
    </>
  );
}
