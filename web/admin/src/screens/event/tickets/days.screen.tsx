import type { Day } from '@turnout/client';
import { Badge, Button, EmptyState, toast, useFormats, useWords } from '@turnout/ui';
import { useMemo, useState } from 'react';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { asShown, newestOf } from '../../../parts/over-newest.ts';
import { useDayName } from '../form/day-name.ts';
import { DeletePart } from '../form/delete-part.tsx';
import { FormPage, useMayEdit } from '../form/form-page.tsx';
import { PartItem, PartList, useFocusBack } from '../form/part-list.tsx';
import { NEW } from '../form/type-values.ts';
import { type Editors, useEditors } from '../form/use-editors.ts';
import { AddDays } from './add-days.tsx';
import { DayEditor } from './day-editor.tsx';
import { type DayValues, dayValues, isUsual, type ManyDays, planOf, previewDay } from './day-values.ts';
import { LockDay } from './lock-day.tsx';
import { PlacesOf, usePlaces } from './places.tsx';
import { useUsage } from './usage.ts';

type DayAction = { what: 'lock' | 'delete'; day: Day };

/** The days of the event: when it is open, how many may come on each, and which are locked. */
export default function Days() {
  const t = useWords('form');
  const nameOf = useDayName();
  const { days, timezone } = useEvent();
  const edits = useMayEdit();
  const editors = useEditors<DayValues>('day');
  const [many, setMany] = useState<ManyDays | null>(null);
  const [doing, setDoing] = useState<DayAction | null>(null);
  const places = usePlaces();
  const adding = editors.current === NEW || many !== null;
  useFocusBack(adding, () => document.querySelector<HTMLElement>('[data-add]'));
  const preview = usePreview(editors, many);
  const add = edits && !adding && (
    <Button kind="main" data-add="" onClick={() => editors.open(NEW)}>
      {t('addDays')}
    </Button>
  );
  const item = (day: Day) => (
    <PartItem
      key={day.id}
      name={nameOf(day)}
      meta={<DayMeta day={day} />}
      end={<PlacesOf capacity={day.capacity} places={places.ofDay(day.code)} isWaiting={places.isWaiting} />}
      open={edits && editors.isOpen(day.id)}
      unsaved={editors.drafts.has(day.id)}
      onToggle={edits ? () => editors.toggle(day.id) : undefined}
    >
      <DayEditor
        day={day}
        editors={editors}
        others={
          <>
            <Button size="small" onClick={() => setDoing({ what: 'lock', day })}>
              {t(day.locked_at === null ? 'lock' : 'unlock')}
            </Button>
            <Button kind="danger" size="small" onClick={() => setDoing({ what: 'delete', day })}>
              {t('delete')}
            </Button>
          </>
        }
      />
    </PartItem>
  );
  return (
    <FormPage
      title={t('days')}
      lead={t('daysLead', { zone: timezone.replaceAll('_', ' ') })}
      actions={days.length > 0 && add}
      preview={{ days: preview.days, unsaved: preview.unsaved }}
    >
      {edits && adding && (
        <AddDays
          follow={setMany}
          onClose={() => {
            setMany(null);
            editors.close(NEW);
          }}
        />
      )}
      {days.length > 0 ? (
        <PartList label={t('days')}>{days.map(item)}</PartList>
      ) : (
        !adding && (
          <EmptyState title={t('noDaysTitle')} action={add}>
            {t('noDaysText')}
          </EmptyState>
        )
      )}
      {doing?.what === 'lock' && <LockDay day={doing.day} onClose={() => setDoing(null)} />}
      {doing?.what === 'delete' && (
        <DeleteDay
          day={doing.day}
          onClose={() => setDoing(null)}
          onGone={() => {
            setDoing(null);
            editors.close(doing.day.id);
          }}
        />
      )}
    </FormPage>
  );
}

/** The days as they will be, with what is typed in each editor and the days that are being added. */
function usePreview({ drafts }: Editors<DayValues>, many: ManyDays | null) {
  const { days, timezone } = useEvent();
  return useMemo(() => {
    const planned = many === null ? [] : planOf(many, days, timezone).days;
    const added = planned.map(
      ({ date, name }, i): Day => ({
        ...{ id: `${NEW}${i}`, code: `${NEW}${i}`, date, name: name ?? date, opens_at: date, closes_at: date },
        ...{ capacity: null, locked_at: null, created_at: '', updated_at: '' },
      }),
    );
    const changed = days.map((day) => {
      const draft = drafts.get(day.id);
      return draft === undefined ? day : { ...day, ...previewDay(day, draft) };
    });
    return {
      days: [...changed, ...added].toSorted((a, b) => a.date.localeCompare(b.date)),
      unsaved: drafts.size > 0 || added.length > 0,
    };
  }, [days, drafts, many, timezone]);
}

function DayMeta({ day }: { day: Day }) {
  const t = useWords('form');
  const formats = useFormats();
  const { timezone } = useEvent();
  const { opens, closes } = dayValues(day, timezone);
  const style = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const;
  const hours = !isUsual(day, timezone)
    ? t('hours', {
        opens: formats.when(day.opens_at, style, timezone),
        closes: formats.when(day.closes_at, style, timezone),
      })
    : opens === '' && closes === ''
      ? t('allDay')
      : t('hours', { opens: formats.time(day.opens_at, timezone), closes: formats.time(day.closes_at, timezone) });
  const locked = day.locked_at;
  return (
    <>
      <span className="number">{day.name === day.date ? hours : `${formats.date(day.date)} · ${hours}`}</span>
      {locked !== null && (
        <Badge tone="warn">
          {Date.parse(locked) <= Date.now() ? t('locked') : t('lockedFrom', { at: formats.dateTime(locked, timezone) })}
        </Badge>
      )}
    </>
  );
}

function DeleteDay({ day: opened, onClose, onGone }: { day: Day; onClose: () => void; onGone: () => void }) {
  const t = useWords('form');
  const { base, days } = useEvent();
  const refresh = useRefresh();
  const day = newestOf(days, opened);
  const name = useDayName()(day);
  return (
    <DeletePart
      title={t('deleteTitle', { name })}
      used={useUsage().ofDay(day)}
      instead={t('deleteDayInstead')}
      work={() =>
        asShown(
          day,
          (options) => call('deleteDay', { ...base, day: day.id }, options),
          () => refresh('listDays'),
        )
      }
      done={() => {
        onGone();
        toast(t('deleted', { name }), 'good');
        void refresh('listDays', 'getEvent', 'getAvailability', 'getEventSummary');
      }}
      onClose={onClose}
    >
      <p>{t('deleteDayText')}</p>
    </DeletePart>
  );
}
