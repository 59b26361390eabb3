import { Checkboxes, type FormParts, Radios, useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { DateTimeField, DaysField } from '../../../../parts/fields.tsx';
import type { ProductValues } from './product-values.ts';

const FIELDS = ['for_types', 'attendee_types', 'for_days', 'days', 'sale_from', 'sale_until'] as const;

/** Whom a product is for, and when it is sold. Folded until something of it is set. */
export function OfferFields({
  parts: { field, values },
  open,
  onToggle,
}: {
  parts: FormParts<ProductValues>;
  open: boolean;
  onToggle: (open: boolean) => void;
}) {
  const t = useWords('selling');
  const form = useWords('form');
  const { event, types, days } = useEvent();
  // A fault that is folded away could not be found.
  const isWrong = FIELDS.some((name) => field(name).fault !== undefined);
  return (
    <details className="fold" open={open || isWrong} onToggle={({ currentTarget }) => onToggle(currentTarget.open)}>
      <summary>{t('offer')}</summary>
      <div className="stack">
        {types.length > 0 && (
          <Radios
            label={t('forTypes')}
            options={[
              { value: 'all', label: t('forAllTypes') },
              { value: 'some', label: form('askedSome') },
            ]}
            {...field('for_types')}
          />
        )}
        {values.for_types === 'some' && (
          <div className="indented">
            <Checkboxes
              label={form('whichTypes')}
              options={types.map(({ code, name }) => ({ value: code, label: name }))}
              {...field('attendee_types')}
            />
          </div>
        )}
        {days.length > 0 && (
          <Radios
            label={t('forDays')}
            options={[
              { value: 'all', label: t('forAllDays') },
              { value: 'some', label: t('forSomeDays'), hint: t('forSomeDaysHint') },
            ]}
            {...field('for_days')}
          />
        )}
        {values.for_days === 'some' && (
          <div className="indented">
            <DaysField label={form('whichDays')} {...field('days')} />
          </div>
        )}
        <div className="columns">
          <DateTimeField label={form('saleFrom')} zone={event.timezone} required={false} {...field('sale_from')} />
          <DateTimeField label={form('saleUntil')} zone={event.timezone} required={false} {...field('sale_until')} />
        </div>
      </div>
    </details>
  );
}
