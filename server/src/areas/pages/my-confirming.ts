import { Refusal } from '../../common/refusal.ts';
import { type Html, html } from '../../outside/mail-templates/markup.ts';
import type { CheckoutState } from '../../outside/payments.ts';
import { isUnderWay } from '../registrations/index.ts';
import { type Visit, within } from './my-visit.ts';
import type { PageParts } from './parts.ts';

/**
 * How far the payment page is that the registrant has opened; null if there is none. While it is being confirmed nothing can be paid, and
 * while it is open only that page can be: otherwise the same would be paid twice. Where the provider does not answer, nothing can be
 * paid, so the page says that it waits.
 */
export async function pageState({ outside }: PageParts, visit: Visit): Promise<CheckoutState | null> {
  const { registration, attendee, online } = visit;
  const { status, hold } = registration;
  const session = hold?.session ?? null;
  // A bank debit takes days, and the page says so by itself.
  if (isUnderWay(registration)) return null;
  if (!online || attendee !== null || status !== 'pending_payment' || session === null) return null;
  try {
    return await outside.payments!.checkoutState(session);
  } catch (error) {
    if (error instanceof Refusal) return 'confirming';
    throw error;
  }
}

/** Seconds between two looks. Most payments are reported within seconds, bank debits after days. */
const WAITS = [3, 3, 4, 5, 8, 13, 20, 30, 60] as const;
const waitOf = (look: number): number => WAITS[Math.min(look, WAITS.length - 1)]!;

/** What the script asks after (web/register/src/confirming.ts). */
export const lookAgain = (): Html => html` data-look-again="${WAITS.join(' ')}"`;

/** Without JavaScript the browser loads the page again by itself, first soon and then less often. */
export function refreshOf(visit: Visit, lookParameter: unknown): Html {
  const look = typeof lookParameter === 'string' && /^\d{1,3}$/.test(lookParameter) ? Number(lookParameter) : 0;
  const address = within(visit, '', { done: 'paid', look: String(Math.min(look + 1, WAITS.length)) });
  return html`<noscript><meta http-equiv="refresh" content="${waitOf(look)};url=${address}"></noscript>`;
}
