import type { Payment } from '@turnout/client';

export interface PaymentFilters {
  status?: Payment['status'];
  method?: Payment['method'];
  registration?: string;
  from?: string;
  to?: string;
}

/** What is asked for, apart from the time. */
export const paymentsQuery = ({ status, method, registration }: PaymentFilters) => ({
  limit: 50,
  ...(status !== undefined && { status }),
  ...(method !== undefined && { method }),
  ...(registration !== undefined && { registration }),
});

const FILTERS = ['status', 'method', 'registration', 'from', 'to'] as const;
export const isFiltered = (filters: PaymentFilters): boolean => FILTERS.some((name) => filters[name] !== undefined);

type Amounts = Pick<Payment, 'amount_minor' | 'refunded_minor' | 'charged_back_minor'>;

/** What of a payment was neither given back nor charged back. */
export const leftOf = ({ amount_minor, refunded_minor, charged_back_minor }: Amounts): number =>
  amount_minor - refunded_minor - charged_back_minor;

export const canBeRefunded = (payment: Amounts & Pick<Payment, 'status'>): boolean =>
  payment.status === 'received' && leftOf(payment) > 0;
