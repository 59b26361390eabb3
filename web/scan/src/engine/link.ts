import { FAILURES_TO_OFFLINE } from './times.ts';
import type { Connection } from './types.ts';

/**
 * Whether the server answers.
 *
 *   online    two calls in a row without an answer  → offline
 *   offline   any answer                            → online
 *   any       the device or the event is refused    → refused, until a call of the same kind is answered again
 *   any       the server wants a newer app          → too_old, until any call is answered again
 *
 * `refused` and `too_old` stay when there is no answer at all: what the server said last still holds.
 */
export interface Link {
  readonly connection: Connection;
  readonly refusal: string | null;
  readonly failures: number;
}

export const AT_START: Link = { connection: 'online', refusal: null, failures: 0 };

/** An archived event still answers everything but scans, so only a scan, or the event's new state, tells that it is open again. */
export const ARCHIVED = 'event_archived';

export type Heard =
  | { readonly what: 'answered'; readonly scanning: boolean }
  /** The server is there, but will not do it now. */
  | { readonly what: 'busy' }
  | { readonly what: 'unanswered' }
  | { readonly what: 'refused'; readonly code: string }
  | { readonly what: 'too_old' };

export function after(link: Link, heard: Heard): Link {
  switch (heard.what) {
    case 'answered':
      return link.refusal === ARCHIVED && !heard.scanning ? { ...link, failures: 0 } : AT_START;
    case 'busy':
      return link.connection === 'offline' ? AT_START : { ...link, failures: 0 };
    case 'unanswered': {
      const failures = link.failures + 1;
      const lost = link.connection === 'online' && failures >= FAILURES_TO_OFFLINE;
      return { ...link, failures, connection: lost ? 'offline' : link.connection };
    }
    case 'refused':
      return { connection: 'refused', refusal: heard.code, failures: 0 };
    case 'too_old':
      return { connection: 'too_old', refusal: null, failures: 0 };
  }
}

/** What a refusal of our server means for the connection; null if it is about the call alone. */
export function heardIn(
  { status, code }: { status: number; code: string },
  about: 'event' | 'device' | 'thing',
): Heard | null {
  if (status === 426) return { what: 'too_old' };
  if (status === 429 || code === 'batch_in_progress') return { what: 'busy' };
  if (status === 401 && code.startsWith('api_key_')) return { what: 'refused', code: DEVICE_CODES[code] ?? code };
  if (about === 'thing') return null;
  if (status === 401 || status === 402 || status === 403 || status === 404) return { what: 'refused', code };
  if (about === 'event' && status === 409 && code === 'invalid_state') return { what: 'refused', code: ARCHIVED };
  return null;
}

/** The server calls a device's token a key. */
const DEVICE_CODES: Readonly<Record<string, string>> = {
  api_key_revoked: 'device_revoked',
  api_key_unknown: 'device_unknown',
};
