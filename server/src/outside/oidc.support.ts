import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider';

/** Somebody at the provider. */
export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
  name?: string;
}

type Claims = Record<string, unknown>;

/** What a dishonest or broken provider does to its token before it signs it. */
export interface Tampering {
  claims?: (honest: Claims) => Claims;
  /** Signs with a key that the provider does not publish. */
  foreignKey?: boolean;
}

export const CLIENT = { id: 'turnout', secret: 'a secret with : and / and % in it' };

/** A real provider of OpenID Connect on this machine, where whoever is `who` is signed in without being asked. */
export class LocalProvider {
  readonly issuer: string;
  /** The person who sits in front of the browser. Null: they press Cancel. */
  who: Person | null = null;
  tampering: Tampering | null = null;
  /** How often each address was asked. */
  readonly requestsByPath = new Map<string, number>();
  readonly #people = new Map<string, Person>();
  readonly #server: Server;
  readonly #key: KeyObject;

  private constructor(server: Server, host: string, redirectUri: string) {
    this.issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
    this.#server = server;
    this.#key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const provider = new Provider(this.issuer, this.#configuration(redirectUri));
    provider.use(async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
      await next();
      if (ctx.path === '/token' && this.tampering !== null) this.#tamper(ctx.body as { id_token?: string });
    });
    server.on('request', async (request, response) => {
      const path = request.url!.split('?')[0]!;
      this.requestsByPath.set(path, (this.requestsByPath.get(path) ?? 0) + 1);
      if (!path.startsWith('/interaction/')) return provider.callback()(request, response);
      const result =
        this.who === null
          ? { error: 'access_denied' }
          : { login: { accountId: this.#remember(this.who), remember: false } };
      return provider.interactionFinished(request, response, result);
    });
  }

  /** To a browser, `127.0.0.1` is another site than `localhost`. */
  static async start(redirectUri: string, host = 'localhost'): Promise<LocalProvider> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, host, done));
    return new LocalProvider(server, host, redirectUri);
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((done) => this.#server.close(() => done()));
  }

  #remember(person: Person): string {
    this.#people.set(person.sub, person);
    return person.sub;
  }

  #configuration(redirectUri: string): Configuration {
    const jwk = this.#key.export({ format: 'jwk' });
    return {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      jwks: { keys: [{ ...jwk, use: 'sig', alg: 'RS256', kid: 'one' }] } as Configuration['jwks'],
      cookies: { keys: ['for tests'] },
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...this.#people.get(sub)!, sub }) as never }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client!.clientId,
          accountId: oidc.session!.accountId!,
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    };
  }

  #tamper(body: { id_token?: string }): void {
    if (body.id_token === undefined) return;
    const [head, payload] = body.id_token.split('.') as [string, string];
    const { claims = (honest) => honest, foreignKey = false } = this.tampering!;
    const changed = claims(JSON.parse(Buffer.from(payload, 'base64url').toString()));
    const signed = `${head}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}`;
    const key = foreignKey ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey : this.#key;
    body.id_token = `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  }
}

/** Follows redirects as a browser does, with the cookies of each host and port by themselves. */
export class Wanderer {
  readonly cookies = new Map<string, Map<string, string>>();

  async get(address: string): Promise<{ status: number; location: string | null; url: string }> {
    const { origin } = new URL(address);
    const jar = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { redirect: 'manual', headers: { cookie, 'user-agent': 'Firefox' } });
    this.keep(origin, response.headers.getSetCookie());
    await response.arrayBuffer();
    const to = response.headers.get('location');
    return { status: response.status, location: to === null ? null : new URL(to, address).href, url: address };
  }

  keep(origin: string, headers: readonly string[]): void {
    const jar = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, jar);
    for (const line of headers) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      const over = attributes.some((one) => one === 'Max-Age=0' || /^expires=Thu, 01 Jan 1970/i.test(one));
      if (over) jar.delete(name);
      else jar.set(name, value);
    }
  }

  /** Returns the address that fits `stopAt`, without opening it. */
  async follow(from: string, stopAt: (url: string) => boolean): Promise<string> {
    let next = from;
    for (let hops = 0; hops < 20; hops += 1) {
      const { location, status, url } = await this.get(next);
      if (location === null) throw new Error(`${url} answered ${status} without a redirect`);
      if (stopAt(location)) return location;
      next = location;
    }
    throw new Error('redirected in a circle');
  }
}
