import type { Attendee, PaymentCreate, Registration } from '@turnout/client';
import { Form, Radios, readChoice, Submit, storeChoice, useWords } from '@turnout/ui';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useDueCheck } from '../../../../parts/due-check.ts';
import { MoneyField } from '../../../../parts/fields.tsx';
import { useNameText } from '../../../../parts/status.tsx';
import { CHANGED } from './use-check-in.ts';

export type Method = PaymentCreate['method'];
export const METHODS: readonly Method[] = ['cash', 'card', 'transfer', 'other'];

const METHOD_KEY = 'turnout.desk.method';
/** How people paid last at this desk; most of the time the next one pays in the same way. */
export const lastMethod = (): Method => METHODS.find((method) => method === readChoice(METHOD_KEY)) ?? 'cash';
export const keepMethod = (method: Method): void => storeChoice(METHOD_KEY, method);

/** Takes what is still to be paid. Whoever has a ticket then is checked in at once. */
export function Pay({
  attendee,
  registration,
  scans,
  onPaid,
}: {
  attendee: Attendee;
  registration: Registration;
  scans: boolean;
  onPaid: (attendee: Attendee) => void;
}) {
  const t = useWords('desk');
  const nameText = useNameText();
  const refresh = useRefresh();
  const { base, event, money } = useEvent();
  const due = registration.balance_minor ?? 0;
  const checkDue = useDueCheck(registration);
  return (
    <section className="card desk-pay" aria-labelledby="desk-pay">
      <h3 id="desk-pay">{t('toPay', { amount: money(due) })}</h3>
      <Form
        careless
        values={{ amount_minor: due as number | null, method: lastMethod() }}
        submit={async ({ amount_minor, method }, { key }) => {
          await checkDue(key);
          const body = { amount_minor: amount_minor ?? due, method };
          await call('recordPayment', { ...base, registration: registration.id, body }, { key });
          keepMethod(method);
          // The money is recorded whether or not this is answered.
          return call('getAttendee', { ...base, attendee: attendee.id }).catch(() => attendee);
        }}
        done={(attendee) => {
          void refresh(...CHANGED);
          onPaid(attendee);
        }}
      >
        {({ field }) => (
          <>
            <div className="desk-methods">
              <Radios
                label={t('paidHow')}
                options={METHODS.map((value) => ({ value, label: nameText.method(value) }))}
                {...field('method')}
              />
            </div>
            <MoneyField label={t('amount')} currency={event.currency} min={1} {...field('amount_minor')} />
            <div className="buttons">
              <Submit>{t(scans ? 'takeAndCheckIn' : 'take')}</Submit>
            </div>
          </>
        )}
      </Form>
    </section>
  );
}
