import { type Attendee, type AttendeeType, Problem, type Registration, type ScanResponse } from '@turnout/client';
import { Button, Form, type FormParts, Radios, Submit, useWords } from '@turnout/ui';
import { useEffect, useRef } from 'react';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { emptyPerson, type PersonValues, personInput } from '../../../../parts/fields.tsx';
import { lateEntry } from '../../../../parts/late-entry.ts';
import { PersonFields } from '../../../../parts/person-fields.tsx';
import { choicesAmong, priceOf, productsFor } from '../../../../parts/product-choices.ts';
import { useNameText } from '../../../../parts/status.tsx';
import {
  nothingTogether,
  TogetherFields,
  type TogetherValues,
  togetherInput,
} from '../../people/booked/together-fields.tsx';
import { Key } from './key.tsx';
import { keepMethod, lastMethod, METHODS, type Method } from './pay.tsx';
import { CHANGED, usePresentDay, uuidOf } from './use-check-in.ts';
import { likelyDays, namesIn } from './walk-in-values.ts';

/** How a new person is paid for; `later`: not now. */
type PaymentChoice = Method | 'later';
interface Values extends TogetherValues {
  /** Only one: the form has the shape of what is sent, so that faults find their fields. */
  attendees: [PersonValues];
  paid: PaymentChoice;
}
export interface WalkInResult {
  attendee: Attendee;
  registration: Registration;
  answer: ScanResponse | null;
  /** Why a person who is registered now could not be checked in. */
  problem: Problem | null;
}

/** Somebody who comes without having registered: name, type, days, answers and payment in one form, checked in with the same Enter. */
export function WalkIn({
  name,
  point,
  onAdded,
  onClose,
}: {
  /** What was typed into the field of the desk. */
  name: string;
  /** Null: nobody is checked in. */
  point: string | null;
  onAdded: (added: WalkInResult) => void;
  onClose: () => void;
}) {
  const t = useWords('desk');
  const { may } = useOrganization();
  const { types, money } = useEvent();
  const priceOfAll = usePrice();
  const refresh = useRefresh();
  const daysOf = useDaysOf();
  const add = useAdd(point);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>('input')?.focus(), []);
  const first = types.find(({ visible }) => visible) ?? types[0];
  const begin = useRef<Values>({
    attendees: [emptyPerson({ ...namesIn(name), attendee_type: first?.code ?? '', days: daysOf(first) })],
    ...nothingTogether(),
    paid: lastMethod(),
  });
  return (
    <section aria-labelledby="desk-walk-in" className="stack" ref={box}>
      <h2 id="desk-walk-in">{t('walkIn')}</h2>
      <Form
        values={begin.current}
        places={{ 'payment/method': 'paid' }}
        submit={add}
        done={(added) => {
          void refresh(...CHANGED);
          onAdded(added);
        }}
      >
        {(parts) => {
          const price = priceOfAll(parts.values);
          return (
            <>
              <WalkInPerson parts={parts} daysOf={daysOf} />
              <TogetherFields field={parts.field} />
              {price > 0 && may('money.record') && (
                <PaymentField parts={parts} price={hasCode(parts.values) ? null : money(price)} />
              )}
              <div className="buttons">
                <Submit>{t(point === null ? 'register' : 'registerAndCheckIn')}</Submit>
                <Button kind="quiet" aria-keyshortcuts="Escape" onClick={onClose}>
                  {t('discard')} <Key name="Esc" />
                </Button>
              </div>
            </>
          );
        }}
      </Form>
    </section>
  );
}

function WalkInPerson({
  parts,
  daysOf,
}: {
  parts: FormParts<Values>;
  daysOf: (type: AttendeeType | undefined) => string[];
}) {
  const { types, days, products } = useEvent();
  const { value: attendees, onChange } = parts.field('attendees');
  const value = attendees[0];
  return (
    <PersonFields
      parts={['name', 'type', 'days', 'products', 'contact', 'answers']}
      name="attendees/0"
      value={value}
      faults={parts.faultsIn('attendees/0')}
      onChange={(next) => {
        const type = types.find(({ code }) => code === next.attendee_type);
        if (next.attendee_type === value.attendee_type) return onChange([next]);
        const person = { ...next, days: daysOf(type) };
        const offered = productsFor(products, person, { types, days });
        onChange([{ ...person, products: choicesAmong(person.products ?? [], offered) }]);
      }}
    />
  );
}

/** `price`: null if a code makes it cheaper, by how much the server says. */
function PaymentField({ parts, price }: { parts: FormParts<Values>; price: string | null }) {
  const t = useWords('desk');
  const nameText = useNameText();
  return (
    <div className="desk-methods">
      <Radios
        label={price === null ? t('paidHow') : t('paidHowOf', { amount: price })}
        options={[
          ...METHODS.map((value) => ({ value: value as PaymentChoice, label: nameText.method(value) })),
          { value: 'later' as PaymentChoice, label: t('paidLater') },
        ]}
        {...parts.field('paid')}
      />
    </div>
  );
}

/** Registers and checks in. Whatever happens after the registration, the form is done: sending it again would make another person. */
function useAdd(point: string | null) {
  const { base, questions, days, types } = useEvent();
  const { may } = useOrganization();
  const priceOfAll = usePrice();
  return async (values: Values, { key }: { key: string }): Promise<WalkInResult> => {
    const [person] = values.attendees;
    const { paid } = values;
    const attendee = personInput(person, questions);
    const pays = priceOfAll(values) > 0 && paid !== 'later' && may('money.record');
    const body = {
      ...{ attendees: [attendee], send_emails: attendee.email !== undefined },
      ...togetherInput(values),
      ...(pays && { payment: { method: paid } }),
      ...lateEntry([person], { days, types }),
    };
    const registration = await call('createRegistration', { ...base, body }, { key });
    if (pays) keepMethod(paid);
    const [registered] = registration.attendees;
    // Nothing was scanned or handed out yet.
    const products = registered!.products.map((product) => ({ ...product, handed_out: 0 }));
    const made = { ...registered!, products, checked_in: false };
    const ticket = made.tickets.find(({ status }) => status === 'valid');
    const added: WalkInResult = { attendee: made, registration, answer: null, problem: null };
    if (point === null || ticket === undefined) return added;
    const scan = {
      ...{ ticket_id: ticket.id, check_in_point: point, client_uuid: uuidOf(key) },
      ...(made.test && { test: true }),
    };
    try {
      added.answer = await call('scanTicket', { ...base, body: scan }, { key: `${key}-scan` });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      added.problem = error;
    }
    return added;
  };
}

const hasCode = ({ discount_code }: Values): boolean => discount_code.trim() !== '';

/** What a new person costs, with everything they take, before a code. */
function usePrice(): (values: Values) => number {
  const { types, products } = useEvent();
  return ({ attendees: [person], products: together }) =>
    (types.find(({ code }) => code === person.attendee_type)?.current_price_minor ?? 0) +
    priceOf(person.products ?? [], products) +
    priceOf(together, products);
}

function useDaysOf(): (type: AttendeeType | undefined) => string[] {
  const { days } = useEvent();
  const present = usePresentDay();
  return (type) => likelyDays(type, days, present);
}
