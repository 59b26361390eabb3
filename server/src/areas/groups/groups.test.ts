import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { doctor } from '../../cli/doctor/data.ts';

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
  for (const [code, parent] of [
    ['north', null],
    ['coast', 'north'],
    ['harbour', 'coast'],
    ['south', null],
  ] as const) {
    const made = await t.call('POST', '/v1/groups', { key, body: { code, name: code, parent } });
    expect(made.status).toBe(201);
  }
});
afterAll(() => t.stop());

const codes = async (secret: string) =>
  (await t.call('GET', '/v1/groups', { key: secret })).body.data.map((group: { code: string }) => group.code).sort();

test('a group is found by id and by code in any case', async () => {
  const { body } = await t.call('GET', '/v1/groups/COAST', { key });
  expect(body).toMatchObject({ code: 'coast', parent: 'north' });
  expect((await t.call('GET', `/v1/groups/${body.id.toLowerCase()}`, { key })).body.id).toBe(body.id);
});

test('the code is made from the name, with a number if it is taken', async () => {
  const first = await t.call('POST', '/v1/groups', { key, body: { name: 'Öst & Wörld' } });
  const second = await t.call('POST', '/v1/groups', { key, body: { name: 'Ost world' } });
  expect([first.body.code, second.body.code]).toEqual(['ost-world', 'ost-world-2']);
  const taken = await t.call('POST', '/v1/groups', { key, body: { name: 'x', code: 'OST-World' } });
  expect([taken.status, taken.body.error.code]).toEqual([409, 'code_taken']);
  for (const { code } of [first.body, second.body]) {
    expect((await t.call('DELETE', `/v1/groups/${code}`, { key })).status).toBe(204);
  }
});

describe('a key limited to a group', () => {
  // claim: group-subtree
  test('sees its subtree and nothing else', async () => {
    const { secret } = await t.key('acme', { group: 'coast' });
    expect(await codes(secret)).toEqual(['coast', 'harbour']);
    for (const hidden of ['north', 'south']) {
      expect((await t.call('GET', `/v1/groups/${hidden}`, { key: secret })).status).toBe(404);
    }
    expect((await t.call('GET', '/v1/me', { key: secret })).body.key.group).toBe('coast');
  });

  test('creates groups below its own, by default directly below it', async () => {
    const { secret } = await t.key('acme', { group: 'coast' });
    const made = await t.call('POST', '/v1/groups', { key: secret, body: { name: 'Pier' } });
    expect(made.body.parent).toBe('coast');
    const outside = await t.call('POST', '/v1/groups', { key: secret, body: { name: 'x', parent: 'south' } });
    expect(outside.body.error.details).toEqual([{ path: 'parent', message: 'no such group: south' }]);
    expect((await t.call('POST', '/v1/groups', { key: secret, body: { name: 'x', parent: null } })).status).toBe(400);
    expect((await t.call('POST', '/v1/groups/coast/move', { key: secret, body: { parent: 'pier' } })).status).toBe(400);
    expect((await t.call('DELETE', '/v1/groups/pier', { key: secret })).status).toBe(204);
  });

  // claim: group-subtree
  test('sees events of its subtree, of groups above and without a group; changes only those of its subtree', async () => {
    for (const [code, group] of [
      ['of-north', 'north'],
      ['of-coast', 'coast'],
      ['of-harbour', 'harbour'],
      ['of-south', 'south'],
      ['of-all', null],
    ] as const) {
      expect((await t.call('POST', '/v1/events', { key, body: { code, name: code, group } })).status).toBe(201);
    }
    const { secret } = await t.key('acme', { group: 'coast' });
    const seen = await t.call('GET', '/v1/events', { key: secret });
    expect(seen.body.data.map((event: { code: string }) => event.code).sort()).toEqual([
      'of-all',
      'of-coast',
      'of-harbour',
      'of-north',
    ]);
    const change = (code: string) => t.call('PATCH', `/v1/events/${code}`, { key: secret, body: { name: 'renamed' } });
    expect((await change('of-harbour')).status).toBe(200);
    for (const code of ['of-north', 'of-all', 'of-south']) expect((await change(code)).status).toBe(404);
    expect((await t.call('POST', '/v1/events', { key: secret, body: { name: 'mine' } })).body.group).toBe('coast');
    expect((await t.call('POST', '/v1/events', { key: secret, body: { name: 'theirs', group: 'south' } })).status).toBe(
      400,
    );
    const filtered = await t.call('GET', '/v1/events?group=coast', { key });
    expect(filtered.body.data.map((event: { code: string }) => event.code).sort()).toEqual([
      'mine',
      'of-coast',
      'of-harbour',
    ]);
  });
});

describe('moving', () => {
  test('moves the whole subtree; what a key reaches changes at once', async () => {
    const { secret } = await t.key('acme', { group: 'south' });
    expect(await codes(secret)).toEqual(['south']);
    const moved = await t.call('POST', '/v1/groups/coast/move', { key, body: { parent: 'south' } });
    expect(moved.body.parent).toBe('south');
    expect(await codes(secret)).toEqual(['coast', 'harbour', 'south']);
    expect((await t.system(doctor)).ok).toBe(true);
    const top = await t.call('POST', '/v1/groups/coast/move', { key, body: { parent: null } });
    expect(top.body.parent).toBeNull();
    expect(await codes(secret)).toEqual(['south']);
    await t.call('POST', '/v1/groups/coast/move', { key, body: { parent: 'north' } });
    expect((await t.system(doctor)).ok).toBe(true);
  });

  test('a group below itself is refused', async () => {
    for (const parent of ['north', 'harbour']) {
      const reply = await t.call('POST', '/v1/groups/north/move', { key, body: { parent } });
      expect(reply.body.error.details[0].message).toBe('must not be the group itself or a group below it');
    }
  });

  test('two moves at once never make a circle', async () => {
    for (const code of ['ring-a', 'ring-b']) await t.call('POST', '/v1/groups', { key, body: { code, name: code } });
    const replies = await Promise.all([
      t.call('POST', '/v1/groups/ring-a/move', { key, body: { parent: 'ring-b' } }),
      t.call('POST', '/v1/groups/ring-b/move', { key, body: { parent: 'ring-a' } }),
    ]);
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 400]);
    expect((await t.system(doctor)).ok).toBe(true);
  });
});

describe('409 invalid_state', () => {
  test('a group in use cannot be deleted, and the message says what uses it', async () => {
    for (const [code, parent] of [
      ['lake', null],
      ['island', 'lake'],
    ]) {
      expect((await t.call('POST', '/v1/groups', { key, body: { code, name: code, parent } })).status).toBe(201);
    }
    for (const code of ['regatta', 'picnic']) {
      expect((await t.call('POST', '/v1/events', { key, body: { code, name: code, group: 'lake' } })).status).toBe(201);
    }
    await t.key('acme', { group: 'lake' });
    const reply = await t.call('DELETE', '/v1/groups/lake', { key });
    expect([reply.status, reply.body.error.code]).toEqual([409, 'invalid_state']);
    expect(reply.body.error.message).toMatch(/1 group below it, 2 events, 1 API key\b/);
  });
});

test('a test key reads groups and cannot change them', async () => {
  const { secret } = await t.key('acme', { mode: 'test' });
  expect((await t.call('GET', '/v1/groups/north', { key: secret })).status).toBe(200);
  const reply = await t.call('PATCH', '/v1/groups/north', { key: secret, body: { name: 'x' } });
  expect([reply.status, reply.body.error.code]).toEqual([403, 'test_key_live_object']);
});
