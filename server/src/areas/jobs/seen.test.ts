import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { jobs } from '../index.ts';
import { MEMBER_NEEDS } from './queries.ts';

let t: TestTurnout;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
});
afterAll(() => t.stop());

const call = (session: string, method: string, path: string, body?: unknown) =>
  t.call(method, `/app/api${path}`, {
    headers: { cookie: `turnout_session=${session}` },
    ...(body !== undefined && { body }),
  });

test('every kind of job says which members may see it', () => {
  expect(jobs.map((one) => one.kind).filter((kind) => MEMBER_NEEDS[kind] === undefined)).toEqual([]);
});

test('an export, with the link to its file, is shown only to members who may export', async () => {
  const manager = await t.session('acme', 'manager');
  const event = (await call(manager, 'POST', '/events', { name: 'Fair' })).body.id;
  const { id, result_url } = (await call(manager, 'POST', '/exports', { what: 'people', format: 'csv', event })).body;
  expect(result_url).not.toBeNull();
  for (const role of ['owner', 'admin', 'manager']) {
    const session = await t.session('acme', role);
    expect((await call(session, 'GET', `/jobs/${id}`)).body.result_url, role).not.toBeNull();
    expect((await call(session, 'GET', '/jobs')).body.data, role).toHaveLength(1);
  }
  for (const role of ['developer', 'desk', 'viewer']) {
    const session = await t.session('acme', role);
    expect((await call(session, 'GET', `/jobs/${id}`)).status, role).toBe(404);
    expect((await call(session, 'POST', `/jobs/${id}/cancel`)).status, role).toBe(404);
    expect((await call(session, 'GET', '/jobs')).body.data, role).toEqual([]);
  }
});
