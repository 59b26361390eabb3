import type { Day } from '@turnout/client';
import { TextField, toast, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useClash } from '../../../parts/clash.ts';
import { DateField, DateTimeField, TimeField } from '../../../parts/fields.tsx';
import { History } from '../../../parts/history.tsx';
import { overNewest } from '../../../parts/over-newest.ts';
import { CodeField } from '../form/code-field.tsx';
import { CapacityField } from '../form/count-field.tsx';
import { useDayName } from '../form/day-name.ts';
import { PartEditor } from '../form/part-editor.tsx';
import type { Editors } from '../form/use-editors.ts';
import { type DayValues, dayChange, dayValues, isOvernight, isUsual } from './day-values.ts';
import { holding, usePlaces } from './places.tsx';

const PLACES = {
  opens_at: 'opens',
  closes_at: 'closes',
  'clash/opens_at': 'opens',
  'clash/closes_at': 'closes',
} as const;

/** What can be changed of a day. */
export function DayEditor({ day, editors, others }: { day: Day; editors: Editors<DayValues>; others: ReactNode }) {
  const t = useWords('form');
  const { base, timezone } = useEvent();
  const refresh = useRefresh();
  const nameOf = useDayName();
  const clash = useClash('changeDay', { zone: timezone });
  const usual = isUsual(day, timezone);
  const takenPlaces = holding(usePlaces().ofDay(day.code));
  return (
    <>
      <PartEditor
        id={day.id}
        values={dayValues(day, timezone)}
        draft={editors.drafts.get(day.id)}
        follow={editors.follow}
        {...(usual && { places: PLACES })}
        save={async (now, before) => {
          const body = dayChange(before, now, timezone, usual);
          if (body === null) return;
          const at = { ...base, day: day.id };
          await overNewest(
            () => call('getDay', at),
            (saved, options) => {
              clash(before, body, dayValues(saved, timezone));
              return call('changeDay', { ...at, body }, options);
            },
          );
          void refresh('getEvent');
          await refresh('listDays');
        }}
        saved={(now) => {
          editors.close(day.id);
          toast(t('saved', { name: nameOf(now) }), 'good');
        }}
        onClose={() => editors.close(day.id)}
        others={others}
      >
        {({ field, values }) => (
          <>
            <div className="columns">
              <TextField
                label={t('name')}
                required={false}
                maxLength={200}
                hint={t('nameOneHint')}
                {...field('name')}
              />
              <DateField label={t('date')} {...field('date')} />
            </div>
            {usual ? (
              <Hours opens={field('opens')} closes={field('closes')} values={values} />
            ) : (
              <div className="columns">
                <DateTimeField label={t('opens')} zone={timezone} {...field('opens_at')} />
                <DateTimeField label={t('closes')} zone={timezone} {...field('closes_at')} />
              </div>
            )}
            <CapacityField takenPlaces={takenPlaces} {...field('capacity')} />
            <CodeField hint={t('codeHintUsed')} {...field('code')} />
          </>
        )}
      </PartEditor>
      <History object={day.id} />
    </>
  );
}

interface TextFieldParts {
  name: string;
  value: string;
  onChange: (value: string) => void;
  fault: string | undefined;
}

/** Opening and closing time. One that is not after the opening is on the following day, which is said. */
export function Hours({
  opens,
  closes,
  values,
}: {
  opens: TextFieldParts;
  closes: TextFieldParts;
  values: { opens: string; closes: string };
}) {
  const t = useWords('form');
  const overnight = isOvernight(values.opens, values.closes);
  return (
    <div className="columns">
      <TimeField label={t('opens')} required={false} hint={t('opensHint')} {...opens} />
      <TimeField label={t('closes')} required={false} hint={t(overnight ? 'closesNext' : 'closesHint')} {...closes} />
    </div>
  );
}
