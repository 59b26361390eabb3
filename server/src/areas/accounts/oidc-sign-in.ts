import type { OidcError } from '@turnout/contract';
import { networkOf } from '../../common/network.ts';
import { refuse } from '../../common/refusal.ts';
import { type Oidc, type OidcChallenge, OidcFault } from '../../outside/oidc.ts';
import { acrossOrganizationsAudit } from './audit.ts';
import type { AccountCall } from './call.ts';
import { enter, entered } from './enter.ts';
import { acrossOrganizationsOidcAccount } from './oidc-account.ts';
import { returnPath } from './oidc-return.ts';
import { beginStep, takeStep } from './steps.ts';
import { takeOfHour, throttled } from './throttle.ts';

/** What is remembered, encrypted and bound to this browser by its cookie, until the browser comes back from the provider. */
interface OidcStep extends OidcChallenge {
  next: string;
  /** The token of the invitation that was opened. */
  invitation: string | null;
}

const MAX_STARTS_PER_HOUR = 2000;

/** Begins single sign-on. Returns the address at the provider. */
export async function startOidc(
  call: AccountCall,
  { next, invitation }: { next?: unknown; invitation?: string },
): Promise<string> {
  const { location, ...challenge } = await providerOf(call).begin();
  const token = await call.work(async (tx) => {
    const of = `single sign-on ${networkOf(call.request.address)}`;
    const wait = await takeOfHour(tx, call.secrets, of, MAX_STARTS_PER_HOUR);
    if (wait > 0) throttled(wait);
    const data: OidcStep = { ...challenge, next: returnPath(next), invitation: invitation ?? null };
    return beginStep(tx, call, { kind: 'oidc', account: null, data });
  });
  call.cookies.setStep(token);
  return location;
}

export async function startOidcFromInvitation(call: AccountCall<{ token: string }>): Promise<{ location: string }> {
  try {
    return { location: await startOidc(call, { invitation: call.body.token }) };
  } catch (error) {
    if (error instanceof OidcFault) return refuse('oidc_unavailable', { log: error.message });
    throw error;
  }
}

/**
 * Finishes single sign-on when the browser comes back (`query` is what the provider added to the address). Returns where the browser
 * goes next. The step is used up first, in a transaction of its own: the provider is asked in between, and a code or state that came
 * once does not work again, whatever comes out.
 */
export async function finishOidc(call: AccountCall, query: string): Promise<string> {
  const oidc = providerOf(call);
  const step = await call.work((tx) => takeStep<OidcStep>(tx, call, 'oidc'));
  call.cookies.clearStep();
  if (step === null)
    throw new OidcFault(
      'oidc_step_over',
      'this browser has begun nothing: it took too long, was finished, or is another browser',
    );
  const { next, invitation, ...challenge } = step.data;
  const identity = await oidc.finish(query, challenge);
  const result = await call.work(async (tx) => {
    const { account, linked } = await acrossOrganizationsOidcAccount(tx, identity, {
      invitation,
      language: call.request.language,
    });
    const details = { issuer: identity.issuer };
    if (linked) await acrossOrganizationsAudit(tx, account, 'account.identity_linked', call.request, { details });
    return enter(tx, call, account, { method: 'oidc', secondFactor: true, details });
  });
  entered(call, result);
  // The screen of the invitation reads its token from the fragment, which no server sees.
  return invitation === null ? next : `/app/-/invitation#${invitation}`;
}

/** Where the browser goes if it did not work: the sign-in screen says in words what the code means. */
export const errorPath = (code: OidcError): string => `/app/-/sign-in?error=${code}`;

const providerOf = ({ settings: { oidc } }: AccountCall): Oidc => {
  if (oidc === null) throw new OidcFault('oidc_unavailable', 'this installation has no single sign-on');
  return oidc;
};
