import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const SET = {
  OIDC_ISSUER: 'https://login.example.org/realms/staff/',
  OIDC_CLIENT_ID: 'turnout',
  OIDC_CLIENT_SECRET: 's',
};

describe('single sign-on', () => {
  test('is off if nothing is set', () => expect(readConfig({}).oidc).toBeNull());
  test('has the name of its host unless OIDC_NAME gives another', () => {
    expect(readConfig(SET).oidc).toEqual({
      issuer: 'https://login.example.org/realms/staff/',
      clientId: 'turnout',
      clientSecret: 's',
      name: 'login.example.org',
    });
    expect(readConfig({ ...SET, OIDC_NAME: 'Acme' }).oidc!.name).toBe('Acme');
  });
  test('may be asked without TLS on this machine alone', () => {
    for (const issuer of ['http://localhost:4000', 'http://127.0.0.1:4000', 'http://[::1]:4000'])
      expect(readConfig({ ...SET, OIDC_ISSUER: issuer }).oidc!.issuer).toBe(issuer);
  });
  test.each<[string, Record<string, string>, RegExp]>([
    ['without the secret', { OIDC_CLIENT_SECRET: '' }, /OIDC_CLIENT_SECRET is not set/],
    ['with the issuer alone', { OIDC_CLIENT_SECRET: '', OIDC_CLIENT_ID: '' }, /OIDC_CLIENT_ID and OIDC_CLIENT_SECRET/],
    ['without the issuer', { OIDC_ISSUER: '' }, /OIDC_ISSUER is not set/],
    [
      'with a name and nothing else',
      { OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '', OIDC_NAME: 'x' },
      /OIDC_NAME is set without/,
    ],
    ['with an address that is none', { OIDC_ISSUER: 'login.example.org' }, /must be an address/],
    ['without TLS', { OIDC_ISSUER: 'http://login.example.org' }, /must start with https/],
    [
      'with the address of the description',
      { OIDC_ISSUER: 'https://login.example.org/.well-known/openid-configuration' },
      /the issuer alone/,
    ],
    ['with a query', { OIDC_ISSUER: 'https://login.example.org/?x=1' }, /the issuer alone/],
    ['for everybody at Microsoft', { OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' }, /one directory/],
    ['with an endless name', { OIDC_NAME: 'x'.repeat(61) }, /at most 60/],
  ])('%s, the start ends with one line that says what is wrong', (_name, env, words) => {
    expect(() => readConfig({ ...SET, ...env })).toThrow(ConfigError);
    expect(() => readConfig({ ...SET, ...env })).toThrow(words);
  });
});

describe('DNS_SERVERS', () => {
  test('is the machine’s own if nothing is set', () => expect(readConfig({}).dnsServers).toEqual([]));
  test('names addresses, with or without a port', () => {
    const text = '192.0.2.53, 192.0.2.53:5353,2001:db8::53,[2001:db8::53]:5353 , [::1]';
    expect(readConfig({ DNS_SERVERS: text }).dnsServers).toEqual(text.split(',').map((one) => one.trim()));
  });
  test.each([
    'dns.example',
    '192.0.2',
    '192.0.2.53:x',
    '192.0.2.53:99999',
    '2001:db8::53]:53',
    '[192.0.2.53]:53',
    '53',
  ])('with %s, the start ends with one line', (text) => {
    expect(() => readConfig({ DNS_SERVERS: `127.0.0.1,${text}` })).toThrow(ConfigError);
    expect(() => readConfig({ DNS_SERVERS: text })).toThrow(/^DNS_SERVERS: /);
  });
});

describe('SANDBOX', () => {
  const sandbox = (env: Record<string, string>) => {
    const { sandbox, sandboxOffBecause } = readConfig(env);
    return [sandbox, sandboxOffBecause];
  };
  test('is on where only this machine reaches the installation', () => {
    for (const env of [
      {},
      { HOST: '127.0.0.1' },
      { HOST: '127.8.8.8', PUBLIC_URL: 'http://127.0.0.1:3000' },
      { HOST: '::1', PUBLIC_URL: 'http://[::1]:3000' },
      { HOST: 'localhost', PUBLIC_URL: 'https://turnout.localhost' },
    ])
      expect(sandbox(env), JSON.stringify(env)).toEqual([true, null]);
  });
  test.each<[Record<string, string>, string]>([
    [{ HOST: '0.0.0.0' }, 'HOST=0.0.0.0 can be reached from other machines'],
    [{ HOST: '::' }, 'HOST=:: can be reached from other machines'],
    [{ HOST: '192.168.1.7' }, 'HOST=192.168.1.7 can be reached from other machines'],
    [{ HOST: 'door.example.org' }, 'HOST=door.example.org can be reached from other machines'],
    [{ HOST: 'localhost.example.org' }, 'HOST=localhost.example.org can be reached from other machines'],
    [{ PUBLIC_URL: 'https://fair.example' }, 'PUBLIC_URL=https://fair.example can be reached from other machines'],
  ])('is off with %o, and the start says why', (env, why) => expect(sandbox(env)).toEqual([false, why]));
  test('is what was set, wherever the installation listens', () => {
    const open = { HOST: '0.0.0.0', PUBLIC_URL: 'https://fair.example' };
    expect(sandbox({ ...open, SANDBOX: 'on' })).toEqual([true, null]);
    expect(sandbox({ ...open, SANDBOX: 'off' })).toEqual([false, null]);
    expect(sandbox({ SANDBOX: 'off' })).toEqual([false, null]);
  });
});
