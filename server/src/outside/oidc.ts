import type { OidcError } from '@turnout/contract';
import * as openid from 'openid-client';
import type { Clock } from '../clock.ts';
import { HOUR } from '../clock.ts';

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What the button says. */
  name: string;
  /** Where the provider sends the browser back to. */
  redirectUri: string;
  clock: Clock;
  /** The time limit for each request to the provider. */
  timeoutMs?: number;
}

/** What only this sign-in knows. The browser comes back with `state`, the token with `nonce`, and `verifier` belongs to the code. */
export interface OidcChallenge {
  state: string;
  nonce: string;
  verifier: string;
}

/** Who the provider says that somebody is. */
export interface OidcIdentity {
  issuer: string;
  subject: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
}

/** Single sign-on did not work. The person is told what `code` means, and the message is for the log. */
export class OidcFault extends Error {
  readonly code: OidcError;
  constructor(code: OidcError, why: string) {
    super(why.slice(0, 500));
    this.code = code;
  }
}

const LARGEST_ANSWER = 512 * 1024;
/** Keys of the provider are fetched again by the library when a token names an unknown one. */
const DESCRIBED_FOR = HOUR;

/**
 * A provider of OpenID Connect. It is asked for its description when somebody first signs in with it, so it need not run when
 * Turnout starts, and the description is kept for an hour. If it cannot be read again then, the old one is used on.
 */
export class Oidc {
  readonly name: string;
  readonly #settings: OidcSettings;
  #known: { configuration: openid.Configuration; until: number } | null = null;
  #asking: Promise<openid.Configuration> | null = null;

  constructor(settings: OidcSettings) {
    this.name = settings.name;
    this.#settings = settings;
  }

  /** The address at the provider that the browser goes to, and what has to be remembered until it comes back. */
  async begin(): Promise<OidcChallenge & { location: string }> {
    const configuration = await this.#configuration();
    const challenge = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
    };
    const location = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#settings.redirectUri,
      scope: 'openid email profile',
      state: challenge.state,
      nonce: challenge.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(challenge.verifier),
      code_challenge_method: 'S256',
    });
    return { ...challenge, location: location.href };
  }

  /**
   * Exchanges the code that the browser came back with (`query`). The library checks the state, and of the token its signature,
   * issuer, audience, nonce and times.
   */
  async finish(query: string, { state, nonce, verifier }: OidcChallenge): Promise<OidcIdentity> {
    const configuration = await this.#configuration();
    try {
      const tokens = await openid.authorizationCodeGrant(
        configuration,
        new URL(`${this.#settings.redirectUri}${query}`),
        { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
      );
      const claims = tokens.claims()!;
      // Providers may leave the address out of the token and tell it on request. The library compares the subjects.
      const userInfo =
        typeof claims.email === 'string' || configuration.serverMetadata().userinfo_endpoint === undefined
          ? claims
          : await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return identityOf(claims.iss, claims.sub, userInfo);
    } catch (error) {
      throw error instanceof OidcFault ? error : faultOf(error);
    }
  }

  async #configuration(): Promise<openid.Configuration> {
    const now = this.#settings.clock.now().getTime();
    if (this.#known !== null && now < this.#known.until) return this.#known.configuration;
    this.#asking ??= this.#discover().finally(() => {
      this.#asking = null;
    });
    try {
      const configuration = await this.#asking;
      this.#known = { configuration, until: now + DESCRIBED_FOR };
      return configuration;
    } catch (error) {
      if (this.#known !== null) return this.#known.configuration;
      throw new OidcFault('oidc_unavailable', `the provider’s description cannot be read: ${wordsOf(error)}`);
    }
  }

  async #discover(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret, timeoutMs = 5_000 } = this.#settings;
    const server = new URL(issuer);
    const configuration = await openid.discovery(server, clientId, clientSecret, secretAuthentication(clientSecret), {
      timeout: timeoutMs / 1000,
      [openid.customFetch]: boundedFetch,
      execute: [
        // Without it, the library trusts a token that came over TLS and does not look at its signature.
        openid.enableNonRepudiationChecks,
        ...(server.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
      ],
    });
    const { authorization_endpoint, token_endpoint, jwks_uri } = configuration.serverMetadata();
    if (authorization_endpoint === undefined || token_endpoint === undefined || jwks_uri === undefined) {
      throw new Error('it names no authorization_endpoint, token_endpoint or jwks_uri');
    }
    return configuration;
  }
}

/** In the body if the provider takes it there: several providers decode the header in ways of their own. */
function secretAuthentication(secret: string): openid.ClientAuth {
  const [post, basic] = [openid.ClientSecretPost(secret), openid.ClientSecretBasic(secret)];
  return (server, ...rest) => {
    const inBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    return (inBody ? post : basic)(server, ...rest);
  };
}

const isLoopback = (hostname: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** Redirects are not followed, answers have a limit, and only this machine may be asked without TLS, whatever the provider names. */
const boundedFetch: openid.CustomFetch = async (address, { body, ...options }) => {
  const { protocol, hostname } = new URL(address);
  if (protocol !== 'https:' && !isLoopback(hostname)) throw new Error(`${hostname} would be asked without TLS`);
  const response = await fetch(address, { ...options, ...(body != null && { body: body as BodyInit }) });
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > LARGEST_ANSWER) throw new Error(`${hostname} answered with more than ${LARGEST_ANSWER} bytes`);
    parts.push(part);
  }
  const { status, headers } = response;
  return new Response([101, 204, 205, 304].includes(status) ? null : Buffer.concat(parts), { status, headers });
};

function identityOf(issuer: string, subject: string, claims: Record<string, unknown>): OidcIdentity {
  if (subject === '' || subject.length > 255 || subject.includes('\0'))
    throw new OidcFault('oidc_failed', 'the subject is empty or too long');
  const { email, email_verified: verified, name } = claims;
  return {
    issuer,
    subject,
    email: typeof email === 'string' ? email : null,
    // Some providers write the word instead of the value.
    emailVerified: verified === true || verified === 'true',
    name: typeof name === 'string' ? name : null,
  };
}

/** Codes of the library that mean that the provider gave no usable answer at all. */
const NO_ANSWER = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
]);

function faultOf(error: unknown): OidcFault {
  const words = wordsOf(error);
  if (error instanceof openid.AuthorizationResponseError) {
    const broken = ['server_error', 'temporarily_unavailable'].includes(error.error);
    return new OidcFault(broken ? 'oidc_unavailable' : 'oidc_cancelled', words);
  }
  if (error instanceof openid.ResponseBodyError) return new OidcFault('oidc_failed', words);
  const { code, cause } = error as { code?: string; cause?: unknown };
  const unreachable = NO_ANSWER.has(code ?? '') || (error instanceof TypeError && cause !== undefined);
  return new OidcFault(unreachable ? 'oidc_unavailable' : 'oidc_failed', words);
}

/** For the log: what went wrong and which claim is meant, but nothing of what the provider sent as a secret. */
function wordsOf(error: unknown): string {
  const said = error as { message?: string; error?: string; error_description?: string; cause?: unknown };
  const words = [said.message];
  if (typeof said.error === 'string') words.push(said.error, said.error_description);
  for (let cause = said.cause, depth = 0; cause instanceof Error && depth < 3; cause = cause.cause, depth += 1) {
    words.push(cause.message || (cause as { code?: string }).code);
    const { claim, attribute } = (cause.cause ?? {}) as { claim?: unknown; attribute?: unknown };
    if (typeof (claim ?? attribute) === 'string') words.push(`(${claim ?? attribute})`);
  }
  return words.filter((word) => word !== undefined && word !== '').join('; ');
}

declare module '../road/operation.ts' {
  interface Outside {
    /** Single sign-on. Null: this installation has none. */
    oidc: Oidc | null;
  }
}
