import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../test/support/running.ts';
import { HOUR, MovedClock } from '../clock.ts';
import { CLIENT, LocalProvider, type Tampering, Wanderer } from './oidc.support.ts';
import { Oidc, OidcFault } from './oidc.ts';

const redirectUri = 'http://localhost:1/app/-/oidc/callback';
const ADA = { sub: 'ada-1', email: 'ada@example.org', email_verified: true, name: 'Ada Lovelace' };

const oidcOf = (issuer: string, more: { clock?: MovedClock; clientSecret?: string } = {}) =>
  new Oidc({
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    name: 'the provider',
    redirectUri,
    clock: new MovedClock(),
    timeoutMs: 700,
    ...more,
  });
const fault = (code: string, why: RegExp) =>
  expect.objectContaining({ constructor: OidcFault, code, message: expect.stringMatching(why) });

/** Goes to the provider and returns what it adds to our address. */
async function wander(location: string): Promise<string> {
  return new URL(await new Wanderer().follow(location, (url) => url.startsWith(redirectUri))).search;
}

describe('with a real provider', () => {
  let provider: LocalProvider;
  let oidc: Oidc;
  beforeAll(async () => {
    provider = await LocalProvider.start(redirectUri);
    oidc = oidcOf(provider.issuer);
  });
  afterAll(() => provider?.stop());
  afterEach(() => {
    provider.who = null;
    provider.tampering = null;
  });

  test('somebody is known by issuer and subject, and the address is asked for if the token does not tell it', async () => {
    provider.who = ADA;
    const asked = provider.requestsByPath.get('/me') ?? 0;
    const { location, ...challenge } = await oidc.begin();
    expect(await oidc.finish(await wander(location), challenge)).toEqual({
      issuer: provider.issuer,
      subject: 'ada-1',
      email: 'ada@example.org',
      emailVerified: true,
      name: 'Ada Lovelace',
    });
    expect(provider.requestsByPath.get('/me')).toBe(asked + 1);
  });

  test('the address asks for a code with state, nonce and a challenge of its own each time', async () => {
    const [first, second] = [new URL((await oidc.begin()).location), new URL((await oidc.begin()).location)];
    const fields = Object.fromEntries(first.searchParams);
    expect(fields).toMatchObject({
      response_type: 'code',
      client_id: CLIENT.id,
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(fields[name]!.length).toBeGreaterThanOrEqual(43);
      expect(second.searchParams.get(name)).not.toBe(fields[name]);
    }
  });

  test('cancelling at the provider', async () => {
    const { location, ...challenge } = await oidc.begin();
    await expect(oidc.finish(await wander(location), challenge)).rejects.toEqual(
      fault('oidc_cancelled', /access_denied/),
    );
  });

  const now = () => Math.floor(Date.now() / 1000);
  test.each<[string, Tampering, RegExp]>([
    ['another issuer', { claims: (honest) => ({ ...honest, iss: 'https://evil.example' }) }, /\(iss\)/],
    ['another audience', { claims: (honest) => ({ ...honest, aud: 'another-client' }) }, /\(aud\)/],
    [
      'several audiences without ours as the party',
      { claims: (c) => ({ ...c, aud: [CLIENT.id, 'x'] }) },
      /untrusted audiences/,
    ],
    ['another nonce', { claims: (honest) => ({ ...honest, nonce: 'of another sign-in' }) }, /\(nonce\)/],
    ['no nonce', { claims: ({ nonce: _, ...rest }) => rest }, /nonce/],
    ['expired', { claims: (honest) => ({ ...honest, iat: now() - 7200, exp: now() - 3600 }) }, /\(exp\)/],
    ['no expiry', { claims: ({ exp: _, ...rest }) => rest }, /exp/],
    ['from tomorrow', { claims: (honest) => ({ ...honest, nbf: now() + 86_400 }) }, /\(nbf\)/],
    ['a signature of another key', { foreignKey: true }, /signature/],
    [
      'a subject without end',
      { claims: (honest) => ({ ...honest, sub: 'x'.repeat(256), email: 'told@example.org' }) },
      /subject/,
    ],
  ])('a token is refused: %s', async (_name, tampering, why) => {
    provider.who = { ...ADA, email: 'ada@example.org' };
    provider.tampering = tampering;
    const { location, ...challenge } = await oidc.begin();
    await expect(oidc.finish(await wander(location), challenge)).rejects.toEqual(fault('oidc_failed', why));
  });

  test('the control: a token that was signed again without a change is accepted', async () => {
    provider.who = ADA;
    provider.tampering = {};
    const { location, ...challenge } = await oidc.begin();
    await expect(oidc.finish(await wander(location), challenge)).resolves.toMatchObject({ subject: 'ada-1' });
  });

  test('state, nonce and verifier of another sign-in are refused', async () => {
    provider.who = ADA;
    const other = await oidc.begin();
    for (const [name, why] of [
      ['state', /state/],
      ['nonce', /\(nonce\)/],
      ['verifier', /invalid_grant/],
    ] as const) {
      const { location, ...challenge } = await oidc.begin();
      const mixed = { ...challenge, [name]: other[name] };
      await expect(oidc.finish(await wander(location), mixed)).rejects.toEqual(fault('oidc_failed', why));
    }
  });

  test('a code works once, and a made-up one never', async () => {
    provider.who = ADA;
    const { location, ...challenge } = await oidc.begin();
    const query = await wander(location);
    await oidc.finish(query, challenge);
    await expect(oidc.finish(query, challenge)).rejects.toEqual(fault('oidc_failed', /invalid_grant/));
    const iss = encodeURIComponent(provider.issuer);
    await expect(oidc.finish(`?code=made-up&state=${challenge.state}&iss=${iss}`, challenge)).rejects.toEqual(
      fault('oidc_failed', /invalid_grant/),
    );
  });

  test.each(['', '?', '?code=a&code=b', '?state=x', '?code=x&state=y', '?error=access_denied', '?%00=%ff'])(
    'a callback with "%s" is refused',
    async (query) => {
      const { location: _, ...challenge } = await oidc.begin();
      await expect(oidc.finish(query, challenge)).rejects.toEqual(fault('oidc_failed', /./));
    },
  );

  test('a wrong secret is told to the log, without the secret', async () => {
    provider.who = ADA;
    const wrong = oidcOf(provider.issuer, { clientSecret: 'the-wrong-secret' });
    const { location, ...challenge } = await wrong.begin();
    const error = (await wrong.finish(await wander(location), challenge).catch((one) => one)) as OidcFault;
    expect(error).toEqual(fault('oidc_failed', /invalid_client/));
    expect(error.message).not.toContain('the-wrong-secret');
  });
});

describe('a provider that does not work', () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, 'localhost', done));
    return `http://localhost:${(server.address() as AddressInfo).port}`;
  }
  const json =
    (body: unknown): RequestListener =>
    (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };

  test.each<[string, RequestListener, RegExp]>([
    ['never answers', () => {}, /timed out|timeout|aborted/],
    [
      'sends its answer drop by drop',
      (_request, response) => {
        response.setHeader('content-type', 'application/json');
        const timer = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(timer));
      },
      /timed out|timeout|aborted/,
    ],
    ['answers with a page', (_request, response) => response.end('<h1>It works!</h1>'), /content-type|JSON/i],
    ['answers with JSON that means nothing', json([1, 2, 3]), /JSON|issuer|invalid/i],
    ['is another issuer', json({ issuer: 'https://evil.example' }), /issuer/],
    ['answers with an error', (_request, response) => response.writeHead(500).end(), /status/],
    [
      'leads elsewhere',
      (_request, response) => response.writeHead(302, { location: 'http://localhost:1/' }).end(),
      /status/,
    ],
    [
      'answers without end',
      (_request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(`"${'x'.repeat(2_000_000)}"`);
      },
      /more than/,
    ],
  ])('%s', async (_name, answer, why) => {
    await expect(oidcOf(await serve(answer)).begin()).rejects.toEqual(fault('oidc_unavailable', why));
  });

  test('cannot be reached', async () => {
    await expect(oidcOf(`http://localhost:${await freePort()}`).begin()).rejects.toEqual(
      fault('oidc_unavailable', /ECONNREFUSED/),
    );
  });

  test('names an endpoint without TLS on another machine, which is never asked', async () => {
    let issuer = '';
    issuer = await serve((request, response) =>
      json({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: 'http://192.0.2.1/token',
        jwks_uri: `${issuer}/jwks`,
      })(request, response),
    );
    const oidc = oidcOf(issuer);
    const { location: _, ...challenge } = await oidc.begin();
    await expect(oidc.finish(`?code=x&state=${challenge.state}`, challenge)).rejects.toEqual(
      fault('oidc_failed', /192\.0\.2\.1 would be asked without TLS/),
    );
  });

  test('its description is asked for once, kept for an hour, and used on if it cannot be read again', async () => {
    let asked = 0;
    let broken = false;
    let issuer = '';
    issuer = await serve((request, response) => {
      asked += 1;
      if (broken) return void response.writeHead(503).end();
      json({ issuer, authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t`, jwks_uri: `${issuer}/j` })(
        request,
        response,
      );
    });
    const clock = new MovedClock();
    const oidc = oidcOf(issuer, { clock });
    await Promise.all(Array.from({ length: 20 }, () => oidc.begin()));
    await oidc.begin();
    expect(asked).toBe(1);
    clock.advance(HOUR + 1);
    broken = true;
    await expect(oidc.begin()).resolves.toMatchObject({ location: expect.stringContaining(`${issuer}/a?`) });
    expect(asked).toBe(2);
  });

  test('is asked again after it did not work', async () => {
    let broken = true;
    let issuer = '';
    issuer = await serve((request, response) => {
      if (broken) return void response.end('starting…');
      json({ issuer, authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t`, jwks_uri: `${issuer}/j` })(
        request,
        response,
      );
    });
    const oidc = oidcOf(issuer);
    await expect(oidc.begin()).rejects.toEqual(fault('oidc_unavailable', /./));
    broken = false;
    await expect(oidc.begin()).resolves.toMatchObject({ state: expect.any(String) });
  });
});
