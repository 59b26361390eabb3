import { HOLDING_PLACES, type MoneyReport, PAYMENT_METHODS, type PaymentMethod } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { Intervals, type Window } from './intervals.ts';
import { aboutOf, type ReportScope, reportWorld, total, whole } from './scope.ts';

type Received = Omit<MoneyReport['currencies'][number]['methods'][number], 'method'>;

/** What is due, and what was received, refunded and charged back, by currency, method, attendee type and date. */
export async function moneyReport(scope: ReportScope, range: Window): Promise<MoneyReport> {
  const { event } = scope;
  const [about, world, span] = await Promise.all([aboutOf(scope), reportWorld(scope), spanOf(scope)]);
  const days = Intervals.of(event.timezone, 'day', range, span.first, span.last);
  const [balances, payments, types] = await Promise.all([
    readBalances(scope),
    readPayments(scope, days, range),
    readTypes(scope),
  ]);
  const currencies = new Set([event.currency, ...[...balances, ...payments, ...types].map((row) => row.currency)]);
  return {
    ...about,
    currencies: [...currencies].sort().map((currency) => {
      const own = <Row extends { currency: string }>(rows: readonly Row[]) =>
        rows.filter((row) => row.currency === currency);
      const [balance] = own(balances);
      const paid = own(payments);
      const dates = [
        ...Map.groupBy(
          paid.filter(({ day }) => day >= 0 && day < days.length),
          (row) => row.day,
        ),
      ];
      return {
        currency,
        due_minor: balance?.due_minor ?? 0,
        credit_minor: balance?.credit_minor ?? 0,
        ...sum(paid),
        methods: PAYMENT_METHODS.map((method) => ({
          method,
          ...sum(paid.filter((row) => row.method === method)),
        })).filter(({ payments: many }) => many > 0),
        attendee_types: world.types.flatMap((type) => {
          const of = own(types).find((row) => row.type === type.id);
          if (of === undefined) return [];
          const { people, charged_minor, paid_minor } = of;
          return { attendee_type: type.code, people, charged_minor, paid_minor, due_minor: charged_minor - paid_minor };
        }),
        days: dates
          .sort(([a], [b]) => a - b)
          .map(([day, rows]) => ({ date: days.dateAt(day, event.timezone), ...sum(rows) })),
      };
    }),
  };
}

/** Payments that were received, also those that a bank has taken back since. */
const ofPayments = (scope: ReportScope): Sql => sql`
  p.org_id = ${scope.org} and p.event_id = ${scope.event.id} and p.test = ${scope.test}
  and (p.status <> 'failed' or p.charged_back_minor > 0)
  ${
    scope.limit.group === null
      ? sql``
      : sql`and exists (select from registrations r where r.id = p.registration_id and ${whole(scope)} offset 0)`
  }`;

const spanOf = (scope: ReportScope): Promise<{ first: string | null; last: string | null }> =>
  scope.tx.one(
    sql`select min(p.created_at) as first, max(p.created_at) as last from payments p where ${ofPayments(scope)}`,
  );

interface BalanceRow {
  currency: string;
  due_minor: number;
  credit_minor: number;
}

const readBalances = (scope: ReportScope): Promise<BalanceRow[]> =>
  scope.tx.all<BalanceRow>(sql`
    select r.currency, ${total(sql`greatest(r.balance_minor, 0)`)} as due_minor, ${total(sql`greatest(-r.balance_minor, 0)`)} as credit_minor
    from registrations r where ${whole(scope)} and r.balance_minor <> 0 group by 1`);

interface PaymentRow extends Received {
  currency: string;
  method: PaymentMethod;
  /** Index of the date; negative or too large: outside of the dates that are shown. */
  day: number;
}

const readPayments = (scope: ReportScope, days: Intervals, range: Window): Promise<PaymentRow[]> =>
  scope.tx.all<PaymentRow>(sql`
    select p.currency, p.method,
      ${days.length === 0 ? sql`-1` : sql`width_bucket(p.created_at, ${days.bounds}::timestamptz[]) - 1`} as day,
      count(*)::int as payments, ${total(sql`p.amount_minor`)} as received_minor, ${total(sql`p.refunded_minor`)} as refunded_minor,
      ${total(sql`p.charged_back_minor`)} as charged_back_minor,
      ${total(sql`p.amount_minor - p.refunded_minor - p.charged_back_minor`)} as net_minor
    from payments p where ${ofPayments(scope)}
      and p.created_at >= coalesce(${range.from ?? null}::timestamptz, '-infinity')
      and p.created_at < coalesce(${range.to ?? null}::timestamptz, 'infinity')
    group by 1, 2, 3`);

interface TypeRow {
  currency: string;
  type: Id;
  people: number;
  charged_minor: number;
  paid_minor: number;
}

/** What an attendee costs: the ticket and what they have booked for themselves, less the discount. */
const CHARGED = sql`a.price_minor - a.discount_minor + case when a.products = '[]' then 0 else (
  select sum((e.line->>'price_minor')::numeric * (e.line->>'quantity')::int - (e.line->>'discount_minor')::numeric)
  from jsonb_array_elements(a.products) e(line)) end`;

/**
 * What was paid for a registration goes to its attendees in their order, each up to what they cost. What is left over is for what was
 * booked for the registration as a whole, or in credit.
 */
const readTypes = (scope: ReportScope): Promise<TypeRow[]> =>
  scope.tx.all<TypeRow>(sql`
    select c.currency, c.type, count(*)::int as people, ${total(sql`c.charged`)} as charged_minor,
      ${total(sql`greatest(least(c.charged, c.paid_minor - c.before), 0)`)} as paid_minor
    from (
      select b.*, sum(b.charged) over (partition by b.registration_id order by b.position) - b.charged as before
      from (
        select r.currency, r.paid_minor, a.attendee_type_id as type, a.registration_id, a.position, ${CHARGED} as charged
        from registrations r join attendees a on a.org_id = r.org_id and a.registration_id = r.id
        where ${whole(scope)} and a.event_id = ${scope.event.id} and r.status = any(${[...HOLDING_PLACES]}) and r.total_minor > 0
          and a.status <> 'cancelled') b) c
    group by 1, 2`);

const sum = (rows: readonly Received[]): Received => {
  const of = (field: keyof Received) => rows.reduce((total, row) => total + row[field], 0);
  return {
    payments: of('payments'),
    received_minor: of('received_minor'),
    refunded_minor: of('refunded_minor'),
    charged_back_minor: of('charged_back_minor'),
    net_minor: of('net_minor'),
  };
};
