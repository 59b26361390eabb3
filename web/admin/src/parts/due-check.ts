import { type OperationId, Problem, type Registration } from '@turnout/client';
import { useFormats, useWords } from '@turnout/ui';
import { useRef } from 'react';
import { call, useRefresh } from '../frame/api.ts';
import { useEvent } from '../frame/event.tsx';

const OPERATION: OperationId = 'recordPayment';

/**
 * A form with the amount due may be open for long, and somebody else may record the same money meanwhile. The returned function is called
 * with the key of a submission right before it is sent, and refuses it once if something else is due now than when the form was opened.
 */
export function useDueCheck(registration: Pick<Registration, 'id' | 'balance_minor' | 'currency'>) {
  const t = useWords('parts');
  const formats = useFormats();
  const refresh = useRefresh();
  const { base } = useEvent();
  const known = useRef(registration.balance_minor);
  const checked = useRef<string | null>(null);
  return async (key: string): Promise<void> => {
    // A submission whose answer was lost is sent again. What is due may have changed by its own first try.
    if (checked.current === key) return;
    const { balance_minor } = await call('getRegistration', { ...base, registration: registration.id });
    if (balance_minor === known.current) {
      checked.current = key;
      return;
    }
    known.current = balance_minor;
    void refresh('getRegistration');
    const amount = formats.money(Math.max(0, balance_minor ?? 0), registration.currency);
    const message = t('dueChanged', { amount });
    throw new Problem({
      ...{ status: 409, code: 'changed_meanwhile', operation: OPERATION, message },
      details: [{ path: 'amount_minor', message }],
    });
  };
}
