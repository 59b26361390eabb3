import { Link } from '@tanstack/react-router';
import { useWords } from '@turnout/ui';
import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { DateField } from '../../../parts/fields.tsx';
import { Chip, Filters } from '../../../parts/filters.tsx';
import { PeriodMenu } from '../../../parts/period-menu.tsx';
import { useNameText, useStateOptions } from '../../../parts/status.tsx';
import { useFilters } from '../../../parts/use-filters.ts';

const METHODS = ['cash', 'transfer', 'card', 'online', 'other'] as const;

/** By status, method, time, and the registration that somebody came from. */
export function PaymentFilters() {
  const t = useWords('payments');
  const { timezone } = useEvent();
  const { values, set } = useFilters();
  const optionsOf = useStateOptions();
  const names = useNameText();
  const methods = METHODS.map((value) => ({ value, label: names.method(value) }));
  return (
    <Filters
      choices={[
        { name: 'status', label: t('status'), options: optionsOf('payment') },
        { name: 'method', label: t('method'), options: methods },
      ]}
      others={['from', 'to', 'registration']}
    >
      <div className="filter-dates">
        <DateField label={t('from')} value={values.from ?? ''} onChange={(from) => set({ from }, { quietly: true })} />
        <DateField label={t('to')} value={values.to ?? ''} onChange={(to) => set({ to }, { quietly: true })} />
        <PeriodMenu zone={timezone} onChoose={(dates) => set(dates)} />
      </div>
      {values.registration !== undefined && (
        <RegistrationChip registration={values.registration} onRemove={() => set({ registration: undefined })} />
      )}
    </Filters>
  );
}

function RegistrationChip({ registration, onRemove }: { registration: string; onRemove: () => void }) {
  const t = useWords('payments');
  const { base } = useEvent();
  const { data } = useCall('getRegistration', { ...base, registration });
  return (
    <>
      <Chip label={t('ofRegistration', { code: data?.code ?? '…' })} onRemove={onRemove} />
      <Link to="/$org/events/$event/people/registrations/$registration" params={{ ...base, registration }}>
        {t('toRegistration')}
      </Link>
    </>
  );
}
