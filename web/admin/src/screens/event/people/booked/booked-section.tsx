import type { Attendee, BookedProduct, Product, ProductChoice, Registration } from '@turnout/client';
import { isPossible } from '@turnout/contract/registration-states';
import { Button, Section, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { overNewest } from '../../../../parts/over-newest.ts';
import { productsFor } from '../../../../parts/product-choices.ts';
import { ChangeBooked } from '../attendee/edit-later.tsx';
import { useMayHere } from '../may-here.ts';
import { BookedLines } from './booked-lines.tsx';

/** What a person has booked beside the ticket. Nothing in an event that offers them nothing. */
export function BookedByPerson({ attendee }: { attendee: Attendee }) {
  const t = useWords('booking');
  const { base, products, types, days } = useEvent();
  const at = { ...base, attendee: attendee.id };
  return (
    <Booked
      title={t('products')}
      offered={productsFor(products, attendee, { types, days })}
      lines={attendee.products}
      mayChange={isPossible('change', attendee.status)}
      save={(choices) =>
        overNewest(
          () => call('getAttendee', at),
          (_, options) => call('changeAttendee', { ...at, body: { products: choices } }, options),
        )
      }
    />
  );
}

/** What is booked once for a whole registration. Nothing in an event that has no such products. */
export function BookedTogether({ registration }: { registration: Registration }) {
  const t = useWords('booking');
  const { base, products } = useEvent();
  const at = { ...base, registration: registration.id };
  // Whoever sees only a part of the registration does not see what belongs to all of it.
  if (registration.total_minor === null) return null;
  return (
    <Booked
      title={t('together')}
      offered={products.filter(({ per }) => per === 'registration')}
      lines={registration.products}
      mayChange={isPossible('change', registration.status)}
      save={(choices) =>
        overNewest(
          () => call('getRegistration', at),
          (_, options) => call('changeRegistration', { ...at, body: { products: choices } }, options),
        )
      }
    />
  );
}

function Booked({
  title,
  offered,
  lines,
  mayChange,
  save,
}: {
  title: string;
  offered: readonly Product[];
  lines: readonly BookedProduct[];
  mayChange: boolean;
  save: (products: ProductChoice[]) => Promise<unknown>;
}) {
  const t = useWords('booking');
  const may = useMayHere();
  const { products } = useEvent();
  const [changing, setChanging] = useState(false);
  const choosable = products.filter(
    (one) => offered.includes(one) || lines.some(({ product }) => product === one.code),
  );
  if (choosable.length === 0 && lines.length === 0) return null;
  return (
    <Section
      title={title}
      actions={
        may('people.write') &&
        mayChange && (
          <Button size="small" onClick={() => setChanging(true)}>
            {t('change')}
          </Button>
        )
      }
    >
      {lines.length === 0 ? <p className="soft">{t('nothing')}</p> : <BookedLines label={title} lines={lines} />}
      {changing && (
        <ChangeBooked
          title={t('change')}
          products={choosable}
          booked={lines}
          save={save}
          onClose={() => setChanging(false)}
        />
      )}
    </Section>
  );
}
