import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { signature, signingKey, standardHeaders } from './signature.ts';

const SIZES = [0, 1, 55, 56, 63, 64, 65, 1000, 64 * 1024 - 100, 64 * 1024, 300_000];

test.each([1, 32, 58, 63, 64, 65, 200])(
  'is HMAC-SHA256 for bodies of any size, with a secret of %i bytes',
  (length) => {
    const secret = `whsec_${randomBytes(length).toString('base64')}`;
    for (const body of SIZES.map((size) => randomBytes(size))) {
      const t = 1_794_700_000;
      const whole = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
      expect(signature([signingKey(secret)], t, body)).toBe(`t=${t},v1=${whole}`);
      const decoded = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'));
      expect(standardHeaders('evt_1', [signingKey(secret)], t, body)['webhook-signature']).toBe(
        `v1,${decoded.update(`evt_1.${t}.`).update(body).digest('base64')}`,
      );
    }
  },
);
