import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());

describe('the envelope', () => {
  // claim: error-api-key-required, error-envelope, rate-headers
  test('every answer carries a request id and the rate headers', async () => {
    const me = await t.call('GET', '/v1/me', { key });
    expect(me.status).toBe(200);
    expect(me.headers.get('x-request-id')).toMatch(/^[0-9A-Z]{26}$/);
    expect(me.headers.get('x-ratelimit-limit')).toBe('600');
    const none = await t.call('GET', '/v1/me');
    expect(none.status).toBe(401);
    expect(none.body.error).toMatchObject({ code: 'api_key_required', request_id: none.headers.get('x-request-id') });
    expect(none.headers.get('x-ratelimit-limit')).toBe('0');
    expect(none.headers.get('x-ratelimit-remaining')).toBe('0');
  });
});
