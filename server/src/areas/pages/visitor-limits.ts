import type { FastifyRequest } from 'fastify';
import { MINUTE } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { networkOf } from '../../common/network.ts';
import { refuse } from '../../common/refusal.ts';
import type { PageParts } from './parts.ts';

/** The window in which visits and forms are counted. */
const WINDOW_MS = 10 * MINUTE;

/** How often one network may send any form, as a multiple of how often it may register for one event: a form is sent a few times. */
const FORMS_PER_SUBMISSION = 10;
/**
 * How often one network may open pages behind links. It is high because at a venue thousands of people may come from one address, all of
 * them to show their tickets.
 */
const MAX_VISITS_OF_NETWORK = 6000;
/** How often one link may be opened. */
const MAX_VISITS_OF_LINK = 120;

type Counting = Pick<PageParts, 'rates' | 'clock' | 'secrets'>;

/** Counts something, and returns how many seconds to wait until it is allowed again; 0 if it is allowed now. */
export async function countOf({ rates, clock, secrets }: Counting, of: string, most: number): Promise<number> {
  const { calls, resetsAt } = await rates.take(keyOf(secrets, of), WINDOW_MS);
  return calls <= most ? 0 : Math.max(1, Math.ceil((resetsAt - clock.now().getTime()) / 1000));
}

/** Only a keyed hash is stored: an address could be guessed from any other. */
const keyOf = (secrets: PageParts['secrets'], of: string): Id =>
  secrets
    .sign(`visitors ${of}`)
    .toString('hex', 0, 16)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as Id;

async function requireFew(parts: Counting, of: string, most: number): Promise<void> {
  const seconds = await countOf(parts, of, most);
  if (seconds > 0) refuse('rate_limited', { headers: { 'Retry-After': String(seconds) } });
}

/**
 * What one network may ask of the pages of all organizations. It is asked before the body is read and before any table of an
 * organization is, so whoever sends too much costs no more than one count.
 */
export async function requireFewRequests(parts: PageParts, { method, ip, params }: FastifyRequest): Promise<void> {
  const network = networkOf(ip);
  if (method === 'POST') await requireFew(parts, `forms ${network}`, parts.submissions * FORMS_PER_SUBMISSION);
  else if ((params as { token?: string }).token !== undefined)
    await requireFew(parts, `visits ${network}`, MAX_VISITS_OF_NETWORK);
}

/** Counts that a link was opened. Only links that are ours get here, so that nobody fills the counts with invented ones. */
export const requireFewVisits = (parts: PageParts, holder: Id): Promise<void> =>
  requireFew(parts, `link ${holder}`, MAX_VISITS_OF_LINK);
