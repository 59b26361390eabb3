import type { AttendeeType } from '@turnout/client';
import { Checkbox, type FormParts, Radios, TextField, toast, useWords } from '@turnout/ui';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useClash } from '../../../parts/clash.ts';
import { DaysField, MoneyField } from '../../../parts/fields.tsx';
import { History } from '../../../parts/history.tsx';
import { overNewest } from '../../../parts/over-newest.ts';
import { CodeField } from '../form/code-field.tsx';
import { CapacityField, CountField } from '../form/count-field.tsx';
import { PartEditor } from '../form/part-editor.tsx';
import { emptyType, NEW, newType, sentType, type TypeValues, typeChange, typeValues } from '../form/type-values.ts';
import type { Editors } from '../form/use-editors.ts';
import { holding, usePlaces } from './places.tsx';
import { SaleFields } from './sale-fields.tsx';

/** Both decide together about what is sent under one name. */
const PLACES = {
  'clash/days': 'offered',
  'clash/pass_days': 'pass',
  'clash/prices': 'phases',
  'on_sale/until': 'sale_until',
} as const;

/** What can be set of a type; `type` is null for one that is not made yet. */
export function TypeEditor({
  type,
  editors,
  others,
}: {
  type: AttendeeType | null;
  editors: Editors<TypeValues>;
  others?: ReactNode;
}) {
  const t = useWords('form');
  const { base, money } = useEvent();
  const refresh = useRefresh();
  const clash = useClash('changeAttendeeType', {
    textOf: (name, value) => (name === 'price_minor' ? money(Number(value)) : undefined),
  });
  const id = type?.id ?? NEW;
  const places = usePlaces();
  const takenPlaces = type === null ? 0 : holding(places.ofType(type.code));
  const save = async (now: TypeValues, before: TypeValues, { key }: { key: string }) => {
    if (type === null) await call('createAttendeeType', { ...base, body: newType(now) }, { key });
    else {
      const body = typeChange(before, now);
      if (body === null) return;
      const at = { ...base, attendee_type: type.id };
      await overNewest(
        () => call('getAttendeeType', at),
        (saved, options) => {
          clash(sentType(before), body, sentType(typeValues(saved)));
          return call('changeAttendeeType', { ...at, body }, options);
        },
      );
    }
    void refresh('getAvailability', 'getEventSummary');
    // Only the list is waited for: once it shows the type, nothing is unsaved any more, and one can go on.
    await refresh('listAttendeeTypes');
  };
  return (
    <Begin active={type === null}>
      <PartEditor
        id={id}
        values={type === null ? emptyType() : typeValues(type)}
        draft={editors.drafts.get(id)}
        follow={editors.follow}
        save={save}
        saved={({ name }) => {
          editors.close(id);
          toast(t(type === null ? 'added' : 'saved', { name }), 'good');
        }}
        onClose={() => editors.close(id)}
        places={PLACES}
        {...(type === null && { action: t('addType') })}
        others={others}
      >
        {(parts) => <Fields parts={parts} isNew={type === null} taken={takenPlaces} />}
      </PartEditor>
      {type !== null && <History object={type.id} />}
    </Begin>
  );
}

/** Something new begins with its first field. */
export function Begin({ active, children }: { active: boolean; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (active) box.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [active]);
  return (
    <div className="stack" ref={box}>
      {children}
    </div>
  );
}

function Fields({ parts, isNew, taken }: { parts: FormParts<TypeValues>; isNew: boolean; taken: number }) {
  const t = useWords('form');
  const { event, days } = useEvent();
  const { field, values } = parts;
  return (
    <>
      <TextField label={t('name')} maxLength={200} placeholder={t('typeExample')} {...field('name')} />
      <div className="columns">
        <MoneyField
          label={t('price')}
          currency={event.currency}
          hint={t(isNew ? 'priceHintNew' : 'priceHint')}
          {...field('price_minor')}
        />
        <CapacityField takenPlaces={taken} {...field('capacity')} />
      </div>
      {days.length > 0 && (
        <>
          <Radios
            label={t('offeredOn')}
            options={[
              { value: 'all', label: t('offeredAll'), hint: t('offeredAllHint') },
              { value: 'some', label: t('offeredSome') },
            ]}
            {...field('offered')}
          />
          {values.offered === 'some' && (
            <div className="indented">
              <DaysField label={t('whichDays')} {...field('days')} />
            </div>
          )}
          <Checkbox label={t('pass')} hint={t('passHint')} {...field('pass')} />
          {values.pass && (
            <div className="indented">
              <CountField
                label={t('passDays')}
                required
                min={1}
                max={values.offered === 'some' ? Math.max(1, values.days.length) : 366}
                {...field('pass_days')}
              />
            </div>
          )}
        </>
      )}
      <Checkbox
        label={t('approval')}
        hint={event.registration.approval ? t('approvalAnyway') : t('approvalHint')}
        {...field('approval')}
      />
      <Checkbox label={t('visible')} hint={t('visibleHint')} {...field('visible')} />
      <SaleFields parts={parts} />
      <CodeField hint={isNew ? t('codeHint') : t('codeHintUsed')} {...field('code')} />
    </>
  );
}
