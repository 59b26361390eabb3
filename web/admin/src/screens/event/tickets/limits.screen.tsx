import type { Quota } from '@turnout/client';
import { Button, EmptyState, toast, useFormats, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { asShown, newestOf } from '../../../parts/over-newest.ts';
import { useUnits } from '../../../parts/use-units.ts';
import { DeletePart } from '../form/delete-part.tsx';
import { FormPage, useMayEdit } from '../form/form-page.tsx';
import { PartItem, PartList, useFocusBack } from '../form/part-list.tsx';
import { NEW } from '../form/type-values.ts';
import { useEditors } from '../form/use-editors.ts';
import { LimitEditor } from './limits/limit-editor.tsx';
import type { LimitValues } from './limits/limit-values.ts';
import { UnitsOf } from './units.tsx';

/** Limits that several types, days or products share, such as the seats of a room. */
export default function Limits() {
  const t = useWords('selling');
  const form = useWords('form');
  const { limits } = useEvent();
  const edits = useMayEdit();
  const editors = useEditors<LimitValues>('limit');
  const units = useUnits();
  const [deleting, setDeleting] = useState<Quota | null>(null);
  const adding = edits && editors.isOpen(NEW);
  useFocusBack(adding, () => document.querySelector<HTMLElement>('[data-add]'));
  const add = edits && !adding && (
    <Button kind="main" data-add="" onClick={() => editors.open(NEW)}>
      {t('addLimit')}
    </Button>
  );
  return (
    <FormPage
      title={t('limits')}
      lead={t('limitsLead')}
      actions={limits.length > 0 && add}
      preview={{ unsaved: false }}
    >
      {limits.length === 0 && !adding && (
        <EmptyState title={t('noLimitsTitle')} action={add}>
          {t('noLimitsText')}
        </EmptyState>
      )}
      {(limits.length > 0 || adding) && (
        <PartList label={t('limits')}>
          {limits.map((limit) => (
            <PartItem
              key={limit.id}
              name={limit.name}
              meta={<LimitMeta limit={limit} />}
              end={<UnitsOf capacity={limit.capacity} units={units.ofLimit(limit.code)} isWaiting={units.isWaiting} />}
              open={edits && editors.isOpen(limit.id)}
              unsaved={editors.drafts.has(limit.id)}
              onToggle={edits ? () => editors.toggle(limit.id) : undefined}
            >
              <LimitEditor
                limit={limit}
                editors={editors}
                others={
                  <Button kind="danger" size="small" onClick={() => setDeleting(limit)}>
                    {form('delete')}
                  </Button>
                }
              />
            </PartItem>
          ))}
          {adding && (
            <PartItem name={t('newLimit')} open unsaved={editors.drafts.has(NEW)}>
              <LimitEditor limit={null} editors={editors} />
            </PartItem>
          )}
        </PartList>
      )}
      {deleting !== null && (
        <DeleteLimit
          limit={deleting}
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

/** What is counted, in words. */
function LimitMeta({ limit: { attendee_types, days, products } }: { limit: Quota }) {
  const t = useWords('selling');
  const formats = useFormats();
  const { typeName, dayName, productName } = useEvent();
  const types = formats.list((attendee_types ?? []).map(typeName));
  const onDays = formats.list((days ?? []).map(dayName));
  return (
    <>
      {attendee_types !== null && days === null && <span>{t('countsTypes', { types })}</span>}
      {attendee_types === null && days !== null && <span>{t('countsDays', { days: onDays })}</span>}
      {attendee_types !== null && days !== null && <span>{t('countsTypesOn', { types, days: onDays })}</span>}
      {products !== null && <span>{t('countsProducts', { products: formats.list(products.map(productName)) })}</span>}
    </>
  );
}

function DeleteLimit({ limit: opened, onClose, onGone }: { limit: Quota; onClose: () => void; onGone: () => void }) {
  const t = useWords('selling');
  const form = useWords('form');
  const { base, limits } = useEvent();
  const refresh = useRefresh();
  const limit = newestOf(limits, opened);
  const { name } = limit;
  return (
    <DeletePart
      title={form('deleteTitle', { name })}
      used={[]}
      instead=""
      work={() =>
        asShown(
          limit,
          (options) => call('deleteQuota', { ...base, quota: limit.id }, options),
          () => refresh('listQuotas'),
        )
      }
      done={() => {
        onGone();
        toast(form('deleted', { name }), 'good');
        void refresh('listQuotas', 'getAvailability');
      }}
      onClose={onClose}
    >
      <p>{t('deleteLimitText')}</p>
    </DeletePart>
  );
}
