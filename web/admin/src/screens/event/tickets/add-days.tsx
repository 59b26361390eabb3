import { Problem } from '@turnout/client';
import { Button, Checkbox, ConfirmDialog, Form, Submit, TextField, toast, useFormats, useWords } from '@turnout/ui';
import { useEffect, useRef, useState } from 'react';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { DateField } from '../../../parts/fields.tsx';
import { localOf } from '../../../parts/zoned.ts';
import { CapacityField } from '../form/count-field.tsx';
import { Hours } from './day-editor.tsx';
import { addDays, emptyDays, MAX_DAYS, type ManyDays, planOf, WEEKDAYS } from './day-values.ts';

const PLACES = { date: 'from', opens_at: 'opens', closes_at: 'closes' } as const;
const ONE_WEEK = 7;

/** Makes one day or many: from … to …, with the same times and capacity. */
export function AddDays({ follow, onClose }: { follow: (values: ManyDays | null) => void; onClose: () => void }) {
  const t = useWords('form');
  const common = useWords('common');
  const { base, days, event, timezone } = useEvent();
  const refresh = useRefresh();
  const [done, setDone] = useState<{ count: number; total: number } | null>(null);
  const [leaving, setLeaving] = useState(false);
  // The day after the last one, or the day on which the event begins; it does not change while days are being made.
  const [first] = useState(() =>
    emptyDays(days.length > 0 ? addDays(days.at(-1)!.date, 1) : localOf(event.starts_at, timezone).slice(0, 10)),
  );
  const create = async (values: ManyDays, { key }: { key: string }): Promise<number> => {
    const { days: planned } = planOf(values, days, timezone);
    try {
      for (const [i, body] of planned.entries()) {
        setDone({ count: i, total: planned.length });
        await call('createDay', { ...base, body }, { key: `${key}-${body.date}` });
      }
    } catch (error) {
      // Those that were made are in the list now; trying again makes the rest.
      if (error instanceof Problem) await refresh('listDays');
      throw error;
    } finally {
      setDone(null);
    }
    void refresh('getEvent', 'getAvailability', 'getEventSummary');
    await refresh('listDays');
    return planned.length;
  };
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);
  return (
    <section className="card" aria-label={t('addDays')} ref={box}>
      <h2>{t('addDays')}</h2>
      <Form
        values={first}
        submit={create}
        places={PLACES}
        done={(count) => {
          if (count === 0) return;
          onClose();
          toast(t('daysAdded', { count }), 'good');
        }}
      >
        {({ field, values, changed, set }) => {
          const { days: planned, known } = planOf(values, days, timezone);
          const many = values.to !== '' && values.to !== values.from;
          return (
            <>
              <Follow values={changed ? values : null} tell={follow} />
              <div className="columns">
                <DateField label={t('from')} {...field('from')} />
                <DateField
                  label={t('to')}
                  required={false}
                  hint={t('toHint')}
                  min={values.from}
                  {...(values.from !== '' && { max: addDays(values.from, MAX_DAYS - 1) })}
                  {...field('to')}
                />
              </div>
              {many && <Weekdays value={values.weekdays} onChange={(weekdays) => set({ weekdays })} />}
              <TextField
                label={t('name')}
                required={false}
                maxLength={190}
                hint={t(many ? 'nameManyHint' : 'nameOneHint')}
                {...field('name')}
              />
              <Hours opens={field('opens')} closes={field('closes')} values={values} />
              <CapacityField takenPlaces={0} {...field('capacity')} />
              <ExistingDays known={known} />
              <div className="buttons">
                <Submit>{planned.length === 0 ? t('addDays') : t('addCount', { count: planned.length })}</Submit>
                <Button kind="quiet" onClick={() => (changed ? setLeaving(true) : onClose())}>
                  {common('cancel')}
                </Button>
                {done !== null && done.total > 1 && (
                  <span className="soft small number" role="status">
                    {t('progress', { count: done.count, of: done.total })}
                  </span>
                )}
              </div>
              {leaving && (
                <ConfirmDialog
                  title={t('discardTitle')}
                  action={t('discard')}
                  cancel={t('keepOn')}
                  danger
                  onConfirm={onClose}
                  onClose={() => setLeaving(false)}
                >
                  <p>{t('discardText')}</p>
                </ConfirmDialog>
              )}
            </>
          );
        }}
      </Form>
    </section>
  );
}

function Follow({ values, tell }: { values: ManyDays | null; tell: (values: ManyDays | null) => void }) {
  const text = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the values
  useEffect(() => tell(values), [text, tell]);
  return null;
}

/** Dates that have a day already. */
function ExistingDays({ known }: { known: readonly string[] }) {
  const t = useWords('form');
  const formats = useFormats();
  if (known.length === 0) return null;
  const dates = known.slice(0, ONE_WEEK).map((date) => formats.when(date, { day: 'numeric', month: 'short' }));
  const named = formats.list(known.length > ONE_WEEK ? [...dates, '…'] : dates);
  return (
    <p className="soft small" role="status">
      {t('daysKnown', { count: known.length, dates: named })}
    </p>
  );
}

/** A Monday; the names of the weekdays come from it. */
const MONDAY = '2024-01-01';

function Weekdays({ value, onChange }: { value: readonly string[]; onChange: (value: string[]) => void }) {
  const t = useWords('form');
  const formats = useFormats();
  return (
    <fieldset>
      <legend className="legend">{t('weekdays')}</legend>
      <div className="weekdays">
        {WEEKDAYS.map((day, i) => (
          <Checkbox
            key={day}
            label={formats.when(addDays(MONDAY, i), { weekday: 'short' })}
            value={value.includes(day)}
            onChange={(on) => onChange(on ? [...value, day] : value.filter((one) => one !== day))}
          />
        ))}
      </div>
    </fieldset>
  );
}
