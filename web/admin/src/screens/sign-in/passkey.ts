import type { SignedIn } from '@turnout/client';
import { call } from '../../frame/api.ts';

/** The person closed the window of the browser, or had no passkey for this address. */
export class PasskeyCancelled extends Error {}

/** Browsers have passkeys on https and localhost only. */
export const passkeysWork = (): boolean => typeof PublicKeyCredential === 'function';

// Loaded when it is needed: most of the first screen works without it.
const library = () => import('@simplewebauthn/browser');

/** Asks the browser for a passkey. With `autofill` it waits, however long, until one is chosen in the field of the e-mail address. */
export async function signInWithPasskey({ autofill = false, key }: { autofill?: boolean; key?: string } = {}) {
  const { startAuthentication } = await library();
  const { options } = await call('startPasskeySignIn', {});
  type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];
  const credential = await startAuthentication({
    optionsJSON: options as Options,
    useBrowserAutofill: autofill,
  }).catch(cancelled);
  return call('signInWithPasskey', { body: { credential } }, key === undefined ? {} : { key });
}

/** Makes a new passkey and keeps it with the account. */
export async function makePasskey(name: string) {
  const { startRegistration } = await library();
  const { options } = await call('startPasskey', {});
  type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];
  const credential = await startRegistration({ optionsJSON: options as Options }).catch(cancelled);
  return call('addPasskey', { body: { credential, name } });
}

const cancelled = (error: unknown): never => {
  throw new PasskeyCancelled(error instanceof Error ? error.message : String(error), { cause: error });
};

/** Ends what `signInWithPasskey` waits for. */
export async function stopWaiting(): Promise<void> {
  (await library()).WebAuthnAbortService.cancelCeremony();
}

/** Asked again before the server forgets its challenge, which is after ten minutes. */
const RENEW_MS = 9 * 60_000;

/** Offers passkeys in the field of the e-mail address for as long as it is there. Returns how to end it. */
export function offerByAutofill(arrived: (reply: SignedIn) => void): () => void {
  let isMounted = true;
  const round = async () => {
    if (!isMounted || !(await (await library()).browserSupportsWebAuthnAutofill())) return;
    if (!isMounted) return;
    try {
      const reply = await signInWithPasskey({ autofill: true });
      if (isMounted) arrived(reply);
    } catch {
      // Nothing was asked for, so there is nothing to say: the button does the same and tells what is wrong.
    }
  };
  void round();
  const timer = setInterval(() => void round(), RENEW_MS);
  return () => {
    isMounted = false;
    clearInterval(timer);
    void stopWaiting();
  };
}
