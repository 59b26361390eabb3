import {
  type AuthenticatorTransport,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { COSEALG, decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import type { PasskeyAssertion, PasskeyAttestation } from '@turnout/contract';
import type { RelyingParty } from './passkey-party.ts';

/**
 * What browsers and servers support everywhere. The library's own list depends on the version of Node, and a passkey that was made
 * on one machine has to work on the next.
 */
export const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];

/** Why a passkey is refused. Only the log says it: the person can do nothing else than try again or sign in another way. */
export class PasskeyFault extends Error {}

const TRANSPORTS: readonly string[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

export interface NewPasskey {
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  backedUp: boolean;
  transports: AuthenticatorTransport[];
}

/** Checks what the browser made for a challenge. Throws a PasskeyFault. */
export async function checkNewPasskey(
  attestation: PasskeyAttestation,
  challenge: string,
  party: RelyingParty,
): Promise<NewPasskey> {
  checkClientData(attestation.response.clientDataJSON, 'webauthn.create', challenge, party);
  return within(async () => {
    const { verified, registrationInfo: registration } = await verifyRegistrationResponse({
      response: {
        id: attestation.id,
        rawId: attestation.rawId,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: attestation.response.clientDataJSON,
          attestationObject: withoutStatement(attestation.response.attestationObject),
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: true,
    });
    if (!verified) throw new PasskeyFault('the attestation does not fit');
    if (registration.credential.id !== attestation.id)
      throw new PasskeyFault('the credential has another id than its data');
    const transports = (attestation.response.transports ?? []).filter((one) => TRANSPORTS.includes(one));
    return {
      credentialId: Buffer.from(registration.credential.id, 'base64url'),
      publicKey: Buffer.from(registration.credential.publicKey),
      counter: registration.credential.counter,
      backedUp: registration.credentialBackedUp,
      transports: [...new Set(transports)] as AuthenticatorTransport[],
    };
  });
}

/**
 * Checks that the passkey with this public key has signed the challenge, and returns what it says of itself. Whether its counter
 * may have this value is for the caller to decide, once the signature is known to be right. Throws a PasskeyFault.
 */
export async function checkAssertion(
  assertion: PasskeyAssertion,
  publicKey: Buffer,
  challenge: string,
  party: RelyingParty,
): Promise<{ counter: number; backedUp: boolean }> {
  checkClientData(assertion.response.clientDataJSON, 'webauthn.get', challenge, party);
  const { clientDataJSON, authenticatorData, signature } = assertion.response;
  return within(async () => {
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: {
        id: assertion.id,
        rawId: assertion.rawId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id: assertion.id, publicKey: new Uint8Array(publicKey), counter: 0 },
      requireUserVerification: true,
    });
    if (!verified) throw new PasskeyFault('the signature is wrong');
    return { counter: info.newCounter, backedUp: info.credentialBackedUp };
  });
}

/**
 * The library checks this too, but it repeats the challenge in its message and lets a page in a frame of another site pass if the
 * browser does not name that site.
 */
function checkClientData(encoded: string, type: string, challenge: string, party: RelyingParty): void {
  const data = parseEncoded(encoded);
  if (data.type !== type) throw new PasskeyFault(`the type is ${quoted(data.type)}`);
  if (data.challenge !== challenge) throw new PasskeyFault('the challenge is another one');
  if (data.origin !== party.origin) throw new PasskeyFault(`the origin is ${quoted(data.origin)}`);
  if (data.crossOrigin === true || data.topOrigin !== undefined)
    throw new PasskeyFault('the page is in a frame of another site');
}

function parseEncoded(encoded: string): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    if (typeof data === 'object' && data !== null) return data as Record<string, unknown>;
  } catch {
    // not JSON at all
  }
  throw new PasskeyFault('the client data is not a JSON object');
}

/**
 * We ask for no attestation and believe none, so a statement that comes nevertheless is left out. Otherwise the library would check
 * its certificates and fetch the revocation lists that they name, from addresses that the sender has chosen.
 */
function withoutStatement(encoded: string): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(encoded)).get('authData');
  if (!(authData instanceof Uint8Array)) throw new PasskeyFault('the attestation has no authenticator data');
  const bare = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare));
}

/** Whatever the library throws is about what it was given: it parses bytes that the caller chose. */
async function within<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw error instanceof PasskeyFault ? error : new PasskeyFault((error as Error).message.slice(0, 200));
  }
}

const quoted = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, 120);
