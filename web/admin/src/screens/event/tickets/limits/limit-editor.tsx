import { Problem, type Quota } from '@turnout/client';
import { Checkboxes, type FormParts, TextField, toast, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useClash } from '../../../../parts/clash.ts';
import { DaysField } from '../../../../parts/fields.tsx';
import { History } from '../../../../parts/history.tsx';
import { overNewest } from '../../../../parts/over-newest.ts';
import { useUnits } from '../../../../parts/use-units.ts';
import { CodeField } from '../../form/code-field.tsx';
import { CountField } from '../../form/count-field.tsx';
import { PartEditor } from '../../form/part-editor.tsx';
import { NEW } from '../../form/type-values.ts';
import type { Editors } from '../../form/use-editors.ts';
import { Begin } from '../type-editor.tsx';
import './limits.css';
import {
  countsNothing,
  emptyLimit,
  type LimitValues,
  limitChange,
  limitValues,
  newLimit,
  sentLimit,
} from './limit-values.ts';

/** What can be set of a shared limit; `limit` is null for one that is not made yet. */
export function LimitEditor({
  limit,
  editors,
  others,
}: {
  limit: Quota | null;
  editors: Editors<LimitValues>;
  others?: ReactNode;
}) {
  const t = useWords('selling');
  const form = useWords('form');
  const { base } = useEvent();
  const refresh = useRefresh();
  const clash = useClash('changeQuota');
  const id = limit?.id ?? NEW;
  const requireCounted = (values: LimitValues) => {
    if (!countsNothing(values)) return;
    throw new Problem({
      ...{ status: 400, code: 'validation_failed', operation: 'createQuota', message: t('countsNothing') },
      details: [{ path: 'attendee_types', message: t('countsNothing') }],
    });
  };
  const save = async (now: LimitValues, before: LimitValues, { key }: { key: string }) => {
    requireCounted(now);
    if (limit === null) await call('createQuota', { ...base, body: newLimit(now) }, { key });
    else {
      const body = limitChange(before, now);
      if (body === null) return;
      const at = { ...base, quota: limit.id };
      await overNewest(
        () => call('getQuota', at),
        (saved, options) => {
          clash(sentLimit(before), body, sentLimit(limitValues(saved)));
          return call('changeQuota', { ...at, body }, options);
        },
      );
    }
    void refresh('getAvailability');
    // Only the list is waited for: once it shows the limit, nothing is unsaved any more, and one can go on.
    await refresh('listQuotas');
  };
  return (
    <Begin active={limit === null}>
      <PartEditor
        id={id}
        values={limit === null ? emptyLimit() : limitValues(limit)}
        draft={editors.drafts.get(id)}
        follow={editors.follow}
        save={save}
        saved={({ name }) => {
          editors.close(id);
          toast(form(limit === null ? 'added' : 'saved', { name }), 'good');
        }}
        onClose={() => editors.close(id)}
        {...(limit === null && { action: t('addLimit') })}
        others={others}
      >
        {(parts) => <Fields parts={parts} limit={limit} />}
      </PartEditor>
      {limit !== null && <History object={limit.id} />}
    </Begin>
  );
}

function Fields({ parts: { field, values }, limit }: { parts: FormParts<LimitValues>; limit: Quota | null }) {
  const t = useWords('selling');
  const form = useWords('form');
  const { types, days, products } = useEvent();
  const units = useUnits();
  const taken = limit === null ? 0 : (units.ofLimit(limit.code)?.taken ?? 0);
  const isBelow = values.capacity !== null && values.capacity < taken;
  return (
    <>
      <TextField label={form('name')} maxLength={200} placeholder={t('limitExample')} {...field('name')} />
      <CountField
        label={t('limitCapacity')}
        hint={t(isBelow ? 'limitBelow' : 'limitCapacityHint', { count: taken })}
        required
        {...field('capacity')}
      />
      <div className="limit-counts">
        <Checkboxes
          label={t('limitTypes')}
          hint={t('limitTypesHint')}
          options={types.map(({ code, name }) => ({ value: code, label: name }))}
          {...field('attendee_types')}
        />
        {days.length > 0 && <DaysField label={t('limitDays')} {...field('days')} />}
        {values.attendee_types.length > 0 && values.days.length > 0 && (
          <p className="soft small" role="status">
            {t('limitBoth')}
          </p>
        )}
        {products.length > 0 && (
          <Checkboxes
            label={t('limitProducts')}
            hint={t('limitProductsHint')}
            options={products.map(({ code, name }) => ({ value: code, label: name }))}
            {...field('products')}
          />
        )}
      </div>
      <CodeField hint={form('codeHint')} {...field('code')} />
    </>
  );
}
