import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { StripeDouble } from '../../../../test/support/stripe-double.ts';
import type { Reply } from '../../../../test/support/turnout.ts';
import { toUuid } from '../../common/ids.ts';
import type { OutgoingMail } from '../../outside/mail.ts';
import { sql } from '../../store/sql.ts';
import { expireUnpaid, forgetHolds, promoteWaitlists } from '../registrations/index.ts';
import { book, type Form, type Got, type Pages, summaryOf, textOf } from './pages.support.ts';

/** One attendee type that costs 25.00. */
export const PAID = [{ code: 'adult', name: 'Adult', price_minor: 2500 }];

/** Somebody who registers people with the form. */
export interface Visitor {
  people?: number;
  email?: string;
  /** The address that the request comes from. */
  from?: string;
}

let serial = 0;

/** Sends the form of an event for as many people, and answers what the last step answered. */
export async function sendForm(x: Pages, event: string, { people = 1, email, from }: Visitor = {}): Promise<Got> {
  return book(x, await filledForm(x, event, { people, ...(email !== undefined && { email }) }), cameFrom(from));
}

export const cameFrom = (address: string | undefined): Record<string, string> => ({
  'x-forwarded-for': address ?? '203.0.113.1',
});

/** A form that only has to be booked. */
export function filledForm(x: Pages, event: string, { people = 1, email }: Visitor = {}): Promise<Form> {
  serial += 1;
  const names = Array.from({ length: people === 1 ? 0 : people }, (_, i) => [
    [`p${i}-first`, `Person ${i}`],
    [`p${i}-last`, 'Guest'],
  ]).flat();
  const values = { ...Object.fromEntries(names), 'c-email': email ?? `guest${serial}@example.org` };
  return summaryOf(x, event, values, `?n-adult=${people}`);
}

/** Registers with the form; it must work. Answers the path of My registration, and the registration as the API shows it. */
export async function registered(x: Pages, event: string, visitor: Visitor = {}) {
  const got = await sendForm(x, event, visitor);
  expect(got.status, textOf(got.text)).toBe(303);
  const path = got.headers.location!.replace(/\?.*$/, '');
  const all = await x.registrations(event);
  const { id } = all.at(-1)!;
  const now = (): Promise<Reply['body']> => x.api('GET', `/events/${event}/registrations/${id}`);
  return { path, id: id as string, now };
}

/** What happens each minute. */
export async function minute(x: Pages): Promise<void> {
  await expireUnpaid(x.t.pool, x.clock);
  await promoteWaitlists(x.t.pool, x.clock);
  await forgetHolds(x.t.pool, x.clock);
}

/** How many minutes are left to pay. */
export const minutesLeft = (x: Pages, { payment_due_at }: { payment_due_at: string }): number =>
  (Date.parse(payment_due_at) - x.clock.now().getTime()) / 60_000;

/** Presses "Pay" on My registration, and answers the page of the provider. Null: it was not given out. */
export async function openPaymentPage(x: Pages, path: string): Promise<string | null> {
  const got = await x.post(`${path}/pay`, new URLSearchParams({ key: randomUUID() }));
  expect([200, 303]).toContain(got.status);
  return /cs_test_\w+/.exec(got.text)?.[0] ?? null;
}

/** As an earlier build did, which opened a second page beside the first. */
export const forgetPage = (x: Pages, registration: string): Promise<number> =>
  x.t.system((tx) =>
    tx.run(sql`update payment_holds set session = null where registration_id = ${toUuid(registration)}`),
  );

/** The payer pays, and the provider reports it. */
export async function pay(x: Pages, stripe: StripeDouble, session: string): Promise<void> {
  expect((await stripe.deliver(x.t.url, stripe.pay(session))).status).toBe(200);
}

/** The last mail to an address, and the link to My registration in it. */
export async function lastMail(x: Pages, sent: OutgoingMail[], email: string): Promise<{ text: string; link: string }> {
  while ((await x.t.step.mails()) > 0);
  const { text } = sent.findLast(({ to }) => to === email)!;
  return { text, link: /https:\/\/turnout\.example(\/o\/\S+\/my\/\S+)/.exec(text)![1]! };
}
