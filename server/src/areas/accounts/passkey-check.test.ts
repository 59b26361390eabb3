import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Lies, SoftAuthenticator } from './passkey.support.ts';
import { checkAssertion, checkNewPasskey, PasskeyFault } from './passkey-check.ts';
import { relyingParty } from './passkey-party.ts';

const party = { origin: 'https://app.example.org', id: 'app.example.org' };
const challenge = () => randomBytes(32).toString('base64url');
const user = { id: 'QUNDT1VOVA' };

async function made(options: { counter?: number } = {}) {
  const authenticator = new SoftAuthenticator(party.origin, options);
  const asked = challenge();
  const passkey = await checkNewPasskey(authenticator.create({ challenge: asked, user }), asked, party);
  return { authenticator, passkey };
}

const refusals: [string, Lies, RegExp][] = [
  ['another challenge', { challenge: challenge() }, /challenge is another one/],
  ['another origin', { origin: 'https://evil.example' }, /origin is "https:\/\/evil.example"/],
  ['a subdomain', { origin: 'https://x.app.example.org' }, /origin/],
  ['another RP ID', { rpId: 'evil.example' }, /RP ID/],
  ['a type that is no type', { type: 'payment.get' }, /type is "payment.get"/],
  ['a frame of another site', { crossOrigin: true }, /frame/],
  ['a frame of a named site', { crossOrigin: true, topOrigin: 'https://evil.example' }, /frame/],
  ['nobody verified', { userVerified: false }, /verif/],
  ['nobody present', { userPresent: false }, /presen/],
];

describe('a new passkey', () => {
  test('is accepted with what is needed later, and unknown transports are left out', async () => {
    const { authenticator, passkey } = await made({ counter: 7 });
    expect(passkey).toMatchObject({ counter: 7, backedUp: false, transports: ['internal', 'hybrid'] });
    expect(passkey.credentialId).toEqual(authenticator.id);
  });
  test.each(refusals)('is refused: %s', async (_name, lies, why) => {
    const asked = challenge();
    const given = new SoftAuthenticator(party.origin).create({ challenge: asked, user }, lies);
    await expect(checkNewPasskey(given, asked, party)).rejects.toThrow(PasskeyFault);
    await expect(checkNewPasskey(given, asked, party)).rejects.toThrow(why);
  });
  test('is refused with the id of another credential', async () => {
    const asked = challenge();
    const given = new SoftAuthenticator(party.origin).create({ challenge: asked, user });
    const other = randomBytes(32).toString('base64url');
    await expect(checkNewPasskey({ ...given, id: other, rawId: other }, asked, party)).rejects.toThrow(/another id/);
  });
  test('is refused as the answer to a sign-in, and the other way round', async () => {
    const { authenticator, passkey } = await made();
    const asked = challenge();
    const create = authenticator.create({ challenge: asked, user }, { type: 'webauthn.get' });
    await expect(checkNewPasskey(create, asked, party)).rejects.toThrow(/type is "webauthn.get"/);
    const get = authenticator.get({ challenge: asked }, { type: 'webauthn.create' });
    await expect(checkAssertion(get, passkey.publicKey, asked, party)).rejects.toThrow(/type is "webauthn.create"/);
  });
  test('is accepted whatever it says about its maker, because no certificate is looked at', async () => {
    const asked = challenge();
    for (const attestation of ['packed', 'android-safetynet', 'tpm', 'apple', 'made-up']) {
      const given = new SoftAuthenticator(party.origin).create({ challenge: asked, user }, { attestation });
      await expect(checkNewPasskey(given, asked, party)).resolves.toMatchObject({ counter: 0 });
    }
  });
  test.each(['AAAA', 'oA', '_____w', Buffer.from('[]').toString('base64url')])(
    'bytes that mean nothing (%s) are refused, not an error',
    async (bytes) => {
      const asked = challenge();
      const given = new SoftAuthenticator(party.origin).create({ challenge: asked, user });
      for (const field of ['attestationObject', 'clientDataJSON'] as const) {
        const broken = { ...given, response: { ...given.response, [field]: bytes } };
        await expect(checkNewPasskey(broken, asked, party)).rejects.toThrow(PasskeyFault);
      }
    },
  );
});

describe('an assertion', () => {
  test('is accepted and tells the counter', async () => {
    const { authenticator, passkey } = await made({ counter: 3 });
    const asked = challenge();
    const given = authenticator.get({ challenge: asked });
    expect(await checkAssertion(given, passkey.publicKey, asked, party)).toEqual({ counter: 4, backedUp: false });
  });
  test.each(refusals)('is refused: %s', async (_name, lies, why) => {
    const { authenticator, passkey } = await made();
    const asked = challenge();
    const given = authenticator.get({ challenge: asked }, lies);
    await expect(checkAssertion(given, passkey.publicKey, asked, party)).rejects.toThrow(PasskeyFault);
    await expect(checkAssertion(given, passkey.publicKey, asked, party)).rejects.toThrow(why);
  });
  test('is refused if another key has signed it', async () => {
    const { authenticator } = await made();
    const { passkey: other } = await made();
    const asked = challenge();
    await expect(
      checkAssertion(authenticator.get({ challenge: asked }), other.publicKey, asked, party),
    ).rejects.toThrow(/signature is wrong/);
  });
  test('the log never gets the challenge that was expected', async () => {
    const { authenticator, passkey } = await made();
    const asked = challenge();
    const given = authenticator.get({ challenge: challenge() });
    const error = await checkAssertion(given, passkey.publicKey, asked, party).catch((one: Error) => one);
    expect(String((error as Error).message)).not.toContain(asked);
  });
});

describe('what passkeys are bound to', () => {
  test.each([
    ['https://app.example.org', { origin: 'https://app.example.org', id: 'app.example.org' }],
    ['https://app.example.org:8443', { origin: 'https://app.example.org:8443', id: 'app.example.org' }],
    ['http://localhost:3000', { origin: 'http://localhost:3000', id: 'localhost' }],
  ])('%s', (url, expected) => expect(relyingParty(url)).toEqual(expected));
  test.each([
    ['http://127.0.0.1:3000', /need a name/],
    ['https://192.0.2.7', /need a name/],
    ['https://[2001:db8::1]', /need a name/],
    ['http://turnout.example', /need https/],
  ])('%s is refused in words', (url, words) =>
    expect(relyingParty(url)).toEqual({ refused: expect.stringMatching(words) }),
  );
});
