import { useEffect } from 'react';
import { later } from '../../../../parts/later.tsx';

// Most who open a person or a registration only want to see what is paid.
const load = () => import('./payment-dialogs.tsx');
const record = later(async () => (await load()).RecordPayment);
const checkout = later(async () => (await load()).CheckoutLink);
const refund = later(async () => (await load()).Refund);

export const RecordPayment = record.Part;
export const CheckoutLink = checkout.Part;
export const Refund = refund.Part;

/** For a screen that takes payments: their dialogs are there when somebody wants one. */
export const usePaymentsSoon = (): void =>
  useEffect(() => {
    // If they cannot be loaded now, it is tried again when they are needed.
    Promise.all([record.load(), checkout.load(), refund.load()]).catch(() => undefined);
  }, []);
