import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { StripeDouble } from '../../../../test/support/stripe-double.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { untilWaitingForLock } from '../../../../test/support/waiting.ts';
import { MINUTE } from '../../clock.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import type { PaymentProvider } from '../../outside/payments.ts';
import { stripeProvider } from '../../outside/stripe.ts';
import type * as Clocks from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { expireUnpaid } from '../registrations/index.ts';
import { cameFrom, filledForm, openPaymentPage, PAID, registered, sendForm } from './holds.support.ts';
import { ask, book, type Form, openPages, type Pages, PUBLIC_URL } from './pages.support.ts';

/**
 * What happens to an unpaid registration at the same moment: it expires, its payment page is opened, it is paid; and how many unpaid
 * people two forms register together. What decides is the event clock (store/clocks.ts). These tests can switch it off and leave
 * everything else as it is.
 */
const guard = vi.hoisted(() => ({ on: true }));
vi.mock('../../store/clocks.ts', async (importOriginal) => {
  const real = await importOriginal<typeof Clocks>();
  const unguarded = async (tx: Tx): Promise<string> =>
    (await tx.one<{ at: string }>(sql`select clock_timestamp() as at`)).at;
  return {
    ...real,
    stampEvent: (tx: Tx, org: Id, event: Id) => (guard.on ? real.stampEvent(tx, org, event) : unguarded(tx)),
    stampCounted: async (tx: Tx, org: Id, event: Id) =>
      guard.on ? real.stampCounted(tx, org, event) : { at: await unguarded(tx), counted: true },
  };
});
const withoutGuard = async <T>(act: () => Promise<T>): Promise<T> => {
  guard.on = false;
  try {
    return await act();
  } finally {
    guard.on = true;
  }
};

let x: Pages;
let second: TestTurnout;
let stripe: StripeDouble;
/** Runs when the provider has made its page and before the server hears of it. */
let meanwhile: () => Promise<unknown> = async () => {};

beforeAll(async () => {
  let now = () => new Date();
  stripe = await StripeDouble.start(() => now());
  const settings = { secretKey: stripe.secretKey, webhookSecret: stripe.webhookSecret, apiUrl: stripe.url };
  const real = await stripeProvider({ ...settings, clock: { now: () => now() }, timeoutMs: 5000 });
  const payments: PaymentProvider = {
    ...real,
    checkout: async (input) => {
      const started = await real.checkout(input);
      await meanwhile();
      return started;
    },
  };
  x = await openPages({ payments });
  now = () => x.clock.now();
  second = await startTest({
    database: x.t.database,
    clock: x.clock,
    env: { PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' },
  });
});
afterAll(async () => {
  await second.stop();
  await x.t.stop();
  await stripe.stop();
});

const held = async () => {
  const { code } = await x.event({ event: { capacity: 1 }, types: PAID });
  return { code, ...(await registered(x, code)) };
};
/** How many places are taken, as the database has it. */
const taken = (code: string) =>
  x.t.system(async (tx) => {
    const { used } = await tx.one<{ used: number }>(sql`
      select coalesce(sum(p.taken), 0)::int as used from places p join events e on e.org_id = p.org_id and e.id = p.event_id
      where e.code = ${code} and p.scope_id = e.id and not p.test`);
    return used;
  });

/**
 * Runs two changes of a registration in such a way that both have read it before either writes it, as far as the guard lets them: its
 * row is locked until both wait for a lock.
 */
async function atOnce(id: string, changes: () => Promise<unknown>): Promise<void> {
  let both: Promise<unknown> | undefined;
  await x.t.system(async (tx) => {
    await tx.run(sql`select from registrations where id = ${toUuid(id)} for update`);
    both = changes();
    await untilWaitingForLock(x.t.database, 2);
  });
  await both;
}

describe('a place expires while its payment page is opened', () => {
  /** What somebody got who pressed "Pay" in time, when the provider answered after the time was over. */
  const slowProvider = async (): Promise<{ status: string; isPayable: boolean; places: number }> => {
    const it = await held();
    let session: string | null = null;
    await atOnce(it.id, async () => {
      let expiring: Promise<unknown> | undefined;
      meanwhile = async () => {
        x.clock.advance(30 * MINUTE);
        expiring = expireUnpaid(x.t.pool, x.clock);
      };
      session = await openPaymentPage(x, it.path);
      meanwhile = async () => {};
      await expiring;
    });
    return { status: (await it.now()).status, isPayable: session !== null, places: await taken(it.code) };
  };

  test('nobody gets a page for a place that others can have', async () => {
    for (let i = 0; i < 4; i += 1) {
      const met = await slowProvider();
      expect([
        { status: 'pending_payment', isPayable: true, places: 1 },
        { status: 'expired', isPayable: false, places: 0 },
      ]).toContainEqual(met);
    }
  });

  test('the control: with the guard off, somebody does', async () => {
    await withoutGuard(async () => expect(await slowProvider()).toMatchObject({ isPayable: true, places: 0 }));
  });
});

describe('a place expires while its payment is reported', () => {
  const reportedLate = async (): Promise<{ status: string; paid_minor: number; places: number }> => {
    const it = await held();
    const report = stripe.pay((await openPaymentPage(x, it.path))!);
    x.clock.jump(new Date((await it.now()).payment_due_at));
    await atOnce(it.id, () => Promise.all([stripe.deliver(x.t.url, report), expireUnpaid(x.t.pool, x.clock)]));
    const { status, paid_minor } = await it.now();
    return { status, paid_minor, places: await taken(it.code) };
  };

  test('it is either confirmed with its place or expired without, and the money is recorded either way', async () => {
    for (let i = 0; i < 4; i += 1) {
      expect([
        { status: 'confirmed', paid_minor: 2500, places: 1 },
        { status: 'expired', paid_minor: 2500, places: 0 },
      ]).toContainEqual(await reportedLate());
    }
  });

  test('the control: with the guard off, it is confirmed without a place, or expired without its money', async () => {
    await withoutGuard(async () => {
      const { status, paid_minor, places } = await reportedLate();
      expect([places, status === 'confirmed' || paid_minor === 0]).toEqual([0, true]);
    });
  });
});

describe('two forms of one network, at two processes, when 30 of its people are unpaid', () => {
  const atSecond = (summary: Form, headers: Record<string, string>) =>
    ask(second.url, summary.action, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: String(summary.sent('book')),
    });
  /** How many of two forms with ten people each were taken. */
  const takenForms = async (from: string): Promise<number> => {
    const { code } = await x.event({ types: PAID });
    for (let i = 0; i < 2; i += 1) expect((await sendForm(x, code, { people: 15, from })).status).toBe(303);
    const forms = [await filledForm(x, code, { people: 10 }), await filledForm(x, code, { people: 10 })] as const;
    const answers = await Promise.all([book(x, forms[0], cameFrom(from)), atSecond(forms[1], cameFrom(from))]);
    return answers.filter(({ status }) => status === 303).length;
  };

  test('exactly one is taken', async () => {
    for (let i = 0; i < 4; i += 1) expect(await takenForms(`203.0.113.${i}`)).toBe(1);
  });

  test('the control: with the guard off, both are', async () => {
    await withoutGuard(async () => {
      let both = false;
      for (let i = 0; i < 30 && !both; i += 1) both = (await takenForms(`198.51.100.${i}`)) === 2;
      expect(both).toBe(true);
    });
  });
});
