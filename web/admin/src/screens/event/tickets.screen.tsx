import type { AttendeeType } from '@turnout/client';
import { priceAt, saleAt } from '@turnout/contract/prices';
import { Badge, Button, EmptyState, HelpIcon, toast, useFormats, useWords } from '@turnout/ui';
import { useMemo, useState } from 'react';
import { call, useRefresh } from '../../frame/api.ts';
import { useEvent } from '../../frame/event.tsx';
import { asShown, newestOf } from '../../parts/over-newest.ts';
import { DeletePart } from './form/delete-part.tsx';
import { FormPage, useMayEdit } from './form/form-page.tsx';
import { PartItem, PartList, useFocusBack } from './form/part-list.tsx';
import { emptyType, NEW, previewType, type TypeValues } from './form/type-values.ts';
import { type Editors, useEditors } from './form/use-editors.ts';
import { More } from './tickets/more.tsx';
import { PlacesOf, usePlaces } from './tickets/places.tsx';
import { TypeEditor } from './tickets/type-editor.tsx';
import { useUsage } from './tickets/usage.ts';

/** Who can register as what: prices, places, days, approval. */
export default function Types() {
  const t = useWords('form');
  const { types, money } = useEvent();
  const edits = useMayEdit();
  const editors = useEditors<TypeValues>('type');
  const places = usePlaces();
  const [deleting, setDeleting] = useState<AttendeeType | null>(null);
  const adding = edits && editors.isOpen(NEW);
  useFocusBack(adding, () => document.querySelector<HTMLElement>('[data-add]'));
  const add = edits && !adding && (
    <Button kind="main" data-add="" onClick={() => editors.open(NEW, { as: NEW })}>
      {t('addType')}
    </Button>
  );
  return (
    <FormPage
      title={t('types')}
      lead={t('typesLead')}
      actions={types.length > 0 && add}
      preview={{ types: usePreview(editors), unsaved: editors.drafts.size > 0 }}
    >
      {types.length === 0 && !adding && (
        <EmptyState title={t('noTypesTitle')} action={add}>
          {t('noTypesText')}
        </EmptyState>
      )}
      {(types.length > 0 || adding) && (
        <PartList label={t('types')}>
          {types.map((type) => (
            <PartItem
              key={type.id}
              name={type.name}
              meta={<TypeMeta type={type} />}
              end={
                <>
                  <div className="number">
                    {type.current_price_minor === 0 ? t('free') : money(type.current_price_minor)}
                  </div>
                  <PlacesOf capacity={type.capacity} places={places.ofType(type.code)} isWaiting={places.isWaiting} />
                </>
              }
              open={edits && editors.isOpen(type.id)}
              unsaved={editors.drafts.has(type.id)}
              onToggle={edits ? () => editors.toggle(type.id, { as: type.code }) : undefined}
            >
              <TypeEditor
                type={type}
                editors={editors}
                others={
                  <Button kind="danger" size="small" onClick={() => setDeleting(type)}>
                    {t('delete')}
                  </Button>
                }
              />
            </PartItem>
          ))}
          {adding && (
            <PartItem name={t('newType')} open unsaved={editors.drafts.has(NEW)}>
              <TypeEditor type={null} editors={editors} />
            </PartItem>
          )}
        </PartList>
      )}
      {edits && types.length > 0 && !adding && <More />}
      {deleting !== null && (
        <DeleteType
          type={deleting}
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

/** The types as they will be. */
function usePreview({ drafts, current }: Editors<TypeValues>): AttendeeType[] {
  const { types } = useEvent();
  return useMemo(() => {
    const changed = types.map((type) => {
      const draft = drafts.get(type.id);
      return draft === undefined ? type : previewType(type, draft);
    });
    const draft = drafts.get(NEW);
    const added =
      draft !== undefined ? [previewType(null, draft)] : current === NEW ? [previewType(null, emptyType())] : [];
    return [...changed, ...added];
  }, [types, drafts, current]);
}

function TypeMeta({ type }: { type: AttendeeType }) {
  const t = useWords('form');
  const { days } = useEvent();
  const offered = type.days === null ? days.length : type.days.length;
  return (
    <>
      {type.pass_days !== null && <span>{t('passOf', { count: type.pass_days, of: offered })}</span>}
      {type.days !== null && type.pass_days === null && <span>{t('onDays', { count: offered, of: days.length })}</span>}
      <PriceNow type={type} />
      {type.approval && <Badge icon={HelpIcon}>{t('needsApproval')}</Badge>}
      {!type.visible && <Badge>{t('hidden')}</Badge>}
    </>
  );
}

/** That the price changes, or that the type is not sold at the moment. */
function PriceNow({ type }: { type: AttendeeType }) {
  const t = useWords('form');
  const formats = useFormats();
  const { money } = useEvent();
  const { on_sale, current_price_until: until } = type;
  const sale = saleAt(on_sale, new Date());
  if (sale !== 'now') {
    const text = sale === 'before' ? t('saleLater', { at: formats.dateTime(on_sale!.from!) }) : t('saleOver');
    return <Badge tone="warn">{text}</Badge>;
  }
  if (until === null) return null;
  const next = priceAt(type, new Date(until)).price_minor;
  return <span>{t('priceUntil', { at: formats.dateTime(until), price: next === 0 ? t('free') : money(next) })}</span>;
}

function DeleteType({
  type: opened,
  onClose,
  onGone,
}: {
  type: AttendeeType;
  onClose: () => void;
  onGone: () => void;
}) {
  const t = useWords('form');
  const { base, types } = useEvent();
  const refresh = useRefresh();
  const type = newestOf(types, opened);
  const { name } = type;
  return (
    <DeletePart
      title={t('deleteTitle', { name })}
      used={useUsage().ofType(type)}
      instead={t('deleteTypeInstead')}
      work={() =>
        asShown(
          type,
          (options) => call('deleteAttendeeType', { ...base, attendee_type: type.id }, options),
          () => refresh('listAttendeeTypes'),
        )
      }
      done={() => {
        onGone();
        toast(t('deleted', { name }), 'good');
        void refresh('listAttendeeTypes', 'getAvailability', 'getEventSummary');
      }}
      onClose={onClose}
    >
      <p>{t('deleteTypeText')}</p>
    </DeletePart>
  );
}
