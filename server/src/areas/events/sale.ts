import type { SalePeriod } from '@turnout/contract';
import type { Fault } from '../../common/refusal.ts';
import { iso } from '../../store/stamps.ts';

export type Sale = SalePeriod;

interface SaleInput {
  from?: string | null | undefined;
  until?: string | null | undefined;
}

const utc = (at: string | null | undefined): string | null => (at == null ? null : iso(new Date(at)));

export const saleOf = ({ from, until }: SaleInput): Sale => ({ from: utc(from), until: utc(until) });

/** The same as its column holds it. */
export const soldWhen = (sale: SaleInput | null | undefined): string | null =>
  sale == null ? null : JSON.stringify(saleOf(sale));

export const saleSpanFaults = ({ from, until }: SaleInput, path: string): Fault[] =>
  from != null && until != null && Date.parse(until) <= Date.parse(from)
    ? [{ path: `${path}/until`, message: 'must be after `from`' }]
    : [];
