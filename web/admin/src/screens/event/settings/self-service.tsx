import type { Event, EventChange } from '@turnout/client';
import { Section, useWords } from '@turnout/ui';
import { useEvent } from '../../../frame/event.tsx';
import { DateTimeField } from '../../../parts/fields.tsx';
import { ChangeForm } from './change-form.tsx';

type Values = Event['self_service'];
const valuesOf = ({ self_service }: Event): Values => self_service;
const bodyOf = (change: Partial<Values>): EventChange => ({ self_service: change });

/** Until when people may change, cancel and hand on by the link in their mails. */
export function SelfService() {
  const t = useWords('site');
  const { timezone, products, event } = useEvent();
  // An event that has no products is not asked about them.
  const sellsProducts = products.length > 0 || event.self_service.products_until !== null;
  const names = {
    change_until: t('changeUntil'),
    products_until: t('productsUntil'),
    cancel_until: t('cancelUntil'),
    transfer_until: t('transferUntil'),
  };
  return (
    <Section title={t('self')} lead={t('selfLead')}>
      <ChangeForm valuesOf={valuesOf} body={bodyOf} names={names}>
        {({ field }) => (
          <>
            <DateTimeField
              label={names.change_until}
              hint={t('changeHint')}
              required={false}
              zone={timezone}
              {...field('change_until')}
            />
            {sellsProducts && (
              <DateTimeField
                label={names.products_until}
                hint={t('productsHint')}
                required={false}
                zone={timezone}
                {...field('products_until')}
              />
            )}
            <DateTimeField
              label={names.cancel_until}
              hint={t('cancelHint')}
              required={false}
              zone={timezone}
              {...field('cancel_until')}
            />
            <DateTimeField
              label={names.transfer_until}
              hint={t('transferHint')}
              required={false}
              zone={timezone}
              {...field('transfer_until')}
            />
          </>
        )}
      </ChangeForm>
    </Section>
  );
}
