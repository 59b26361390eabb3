import { isIP } from 'node:net';
import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';

/** Who asks for a passkey: the origin of our pages, and the name that passkeys are bound to. */
export interface RelyingParty {
  origin: string;
  id: string;
}

/**
 * Passkeys are bound to the host of PUBLIC_URL. Browsers refuse an IP address, and an address without https unless it is this
 * machine itself. In that case the answer is the reason, in words.
 */
export function relyingParty(publicUrl: string): RelyingParty | { refused: string } {
  const { origin, hostname, protocol } = new URL(publicUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    return {
      refused: `Passkeys need a name, and this installation’s address is an IP address (${hostname}). Open it by its name, or have the operator set PUBLIC_URL to one.`,
    };
  }
  if (protocol !== 'https:' && hostname !== 'localhost' && !hostname.endsWith('.localhost')) {
    return {
      refused:
        'Passkeys need https, and this installation’s address begins with http. Have the operator set PUBLIC_URL to an https address.',
    };
  }
  return { origin, id: hostname };
}

export function requireParty(publicUrl: string): RelyingParty {
  const party = relyingParty(publicUrl);
  return 'refused' in party ? refuse('invalid_state', { message: party.refused }) : party;
}

/** What a passkey keeps of the account that it belongs to: its id, which tells nothing about the person. */
export const userHandleOf = (account: Id): string =>
  Buffer.from(account.replaceAll('-', ''), 'hex').toString('base64url');
