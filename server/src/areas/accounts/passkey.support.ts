import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { PasskeyAssertion, PasskeyAttestation } from '@turnout/contract';
import type { Reply, TestTurnout } from '../../../../test/support/turnout.ts';
import { Browser } from './accounts.support.ts';

/** What a dishonest browser or authenticator may do differently. */
export interface Lies {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  crossOrigin?: boolean;
  topOrigin?: string;
  counter?: number;
  userVerified?: boolean;
  userPresent?: boolean;
  userHandle?: string | null;
  /** The format of an attestation that nobody asked for. */
  attestation?: string;
}

interface Challenged {
  challenge: string;
}

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };
const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** An authenticator with one passkey: what a phone or a security key does, without asking anybody. */
export class SoftAuthenticator {
  readonly origin: string;
  readonly rpId: string;
  readonly id = randomBytes(32);
  readonly #key: KeyObject;
  readonly #cose: Uint8Array;
  userHandle: string | null = null;
  /** 0: it does not count. */
  counter: number;

  constructor(origin: string, options: { counter?: number } = {}) {
    this.origin = origin;
    this.rpId = new URL(origin).hostname;
    this.counter = options.counter ?? 0;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    const { x, y } = publicKey.export({ format: 'jwk' });
    this.#cose = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
      ]),
    );
  }

  create(options: Challenged & { user: { id: string } }, lies: Lies = {}): PasskeyAttestation {
    this.userHandle = options.user.id;
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, this.#cose]);
    const authData = Buffer.concat([this.#head(FLAGS.attested, lies), attested]);
    const statement = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', lies.attestation ?? 'none'],
      ['attStmt', new Map<string, string>(lies.attestation === undefined ? [] : [['ver', 'x']])],
      ['authData', new Uint8Array(authData)],
    ]);
    return {
      ...this.#names(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options, lies),
        attestationObject: b64(isoCBOR.encode(statement)),
        transports: ['internal', 'hybrid', 'carrier-pigeon'],
      },
    };
  }

  get(options: Challenged, lies: Lies = {}): PasskeyAssertion {
    if (this.counter > 0) this.counter += 1;
    const authData = this.#head(0, lies);
    const clientDataJSON = this.#clientData('webauthn.get', options, lies);
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return {
      ...this.#names(),
      response: {
        clientDataJSON,
        authenticatorData: b64(authData),
        signature: b64(sign('sha256', signed, this.#key)),
        userHandle: lies.userHandle === undefined ? this.userHandle : lies.userHandle,
      },
    };
  }

  #names() {
    return { id: b64(this.id), rawId: b64(this.id), type: 'public-key' as const };
  }

  #head(extra: number, lies: Lies): Buffer {
    const flags =
      extra | (lies.userPresent === false ? 0 : FLAGS.present) | (lies.userVerified === false ? 0 : FLAGS.verified);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lies.counter ?? this.counter);
    return Buffer.concat([sha256(lies.rpId ?? this.rpId), Buffer.from([flags]), counter]);
  }

  #clientData(type: string, { challenge }: Challenged, lies: Lies): string {
    const data = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.origin,
      crossOrigin: lies.crossOrigin ?? false,
      ...(lies.topOrigin !== undefined && { topOrigin: lies.topOrigin }),
    };
    return b64(Buffer.from(JSON.stringify(data)));
  }
}

/** A browser with passkeys. */
export class Tab extends Browser {
  readonly #turnout: TestTurnout;

  constructor(turnout: TestTurnout, cookies: Iterable<[string, string]> = []) {
    super(turnout);
    this.#turnout = turnout;
    for (const [name, value] of cookies) this.cookies.set(name, value);
  }

  /** Signed in as a new member of the organization. */
  static async member(turnout: TestTurnout, org: string, role = 'manager'): Promise<Tab> {
    return new Tab(turnout, [['turnout_session', await turnout.session(org, role)]]);
  }

  /** Another browser with the cookies that this one has now. */
  copy(): Tab {
    return new Tab(this.#turnout, this.cookies);
  }

  async makePasskey(authenticator: SoftAuthenticator, lies: Lies = {}): Promise<Reply> {
    const started = await this.post('/account/passkeys/options');
    if (started.status !== 200) return started;
    const credential = authenticator.create(started.body.options, lies);
    return this.post('/account/passkeys', { name: 'My phone', credential });
  }

  async usePasskey(authenticator: SoftAuthenticator, lies: Lies = {}): Promise<Reply> {
    const started = await this.post('/sign-in/passkey/options');
    if (started.status !== 200) return started;
    return this.post('/sign-in/passkey', { credential: authenticator.get(started.body.options, lies) });
  }
}
