import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newSecret, signature, signingKey, standardHeaders } from './signature.ts';

const T = 1_794_700_000;
const [newer, older] = [newSecret(), newSecret()];
const keys = [signingKey(newer), signingKey(older)];

// claim: rotation
test.each([0, 1, 1000, 300_000])('a body of %i bytes is signed by every secret, the newest first', (size) => {
  const body = randomBytes(size);
  const v1 = (secret: string) => createHmac('sha256', secret).update(`${T}.`).update(body).digest('hex');
  expect(signature(keys, T, body)).toBe(`t=${T},v1=${v1(newer)},v1=${v1(older)}`);
  expect(signature(keys.slice(0, 1), T, body)).toBe(`t=${T},v1=${v1(newer)}`);
});

test('the other headers are those that the library of Standard Webhooks makes', () => {
  const body = '{"name":"Zoë 王小明"}';
  const by = (secret: string) => new Webhook(secret).sign('evt_1', new Date(T * 1000), body);
  expect(standardHeaders('evt_1', keys, T, Buffer.from(body))).toEqual({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(T),
    'webhook-signature': `${by(newer)} ${by(older)}`,
  });
});
