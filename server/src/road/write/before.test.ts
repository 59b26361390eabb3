import { Body } from '@turnout/contract';
import Type from 'typebox';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { call, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { Refusal } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import { operation } from '../operation.ts';

/** What somebody else was asked, and what they say next. */
const questions: { key: string; text: string; openTransactions: number }[] = [];
let answers: (() => Promise<string>)[] = [];
const failing: string[] = [];

const ask = operation({
  id: 'askOthers',
  method: 'POST',
  path: '/asking/{event}',
  scope: 'write',
  entitlement: 'api_write',
  member: null,
  audit: 'note.asked',
  at: {
    event: {
      kind: 'event',
      byCode: true,
      find: async (_reach, ref) => (ref === 'nowhere' ? null : { id: '00000000-0000-0000-0000-000000000000', ref }),
    },
  },
  inTurn: (params) => params.event!,
  body: Body({ text: Type.String() }),
  reply: Type.Object({ said: Type.String(), ref: Type.String() }),
  status: 201,
  refusals: ['not_found', 'invalid_state'],
  tag: 'Notes',
  summary: 'Asks somebody else before its work',
  before: async ({ tx, body, retryKey }) => {
    const { reads } = await tx.one<{ reads: string }>(sql`select current_setting('transaction_read_only') as reads`);
    if (reads !== 'on') throw new Error('it could write');
    if (body.text === 'refuse early') throw new Refusal('invalid_state', { message: 'no, before asking' });
    if (body.text === 'invalid') throw new Refusal('validation_failed');
    return async () => {
      const { n } = await t.system((own) =>
        own.one<{ n: number }>(sql`
          select count(*)::int as n from pg_stat_activity
          where datname = current_database() and state like 'idle in transaction%'`),
      );
      questions.push({ key: retryKey, text: body.text, openTransactions: n });
      return (answers.shift() ?? (async () => `heard ${body.text}`))();
    };
  },
  handle: async ({ beforeResult: said, at, body }) => {
    if (failing.includes(body.text)) {
      failing.splice(failing.indexOf(body.text), 1);
      throw new Error('a fault on purpose');
    }
    return { said, ref: at.event.ref };
  },
});

let t: TestTurnout;
let second: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest({ operations: [ask] });
  second = await startTest({ operations: [ask], database: t.database, clock: t.clock });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
});
afterAll(async () => {
  await second.stop();
  await t.stop();
});
// A test may leave an answer that nobody asked for, and another one may use the same texts.
beforeEach(() => {
  answers = [];
  questions.length = 0;
});

const tell = (text: string, idempotencyKey: string, at = t.url, event = 'here') =>
  call(at, 'POST', `/v1/asking/${event}`, { key, idempotencyKey, body: { text } });
const questionsWith = (text: string) => questions.filter((one) => one.text === text);

test('others are asked with no transaction open, and their answer is the work’s', async () => {
  const reply = await tell('plain', 'b-plain');
  expect([reply.status, reply.body]).toEqual([201, { said: 'heard plain', ref: 'here' }]);
  expect(questionsWith('plain')).toMatchObject([{ openTransactions: 0 }]);
});

test('a retry gets the stored answer and asks nobody', async () => {
  const first = await tell('once', 'b-once');
  const again = await tell('once', 'b-once');
  expect(again.text).toBe(first.text);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(questionsWith('once')).toHaveLength(1);
  expect((await tell('another body', 'b-once')).body.error.code).toBe('idempotency_key_reused');
  expect(questionsWith('another body')).toHaveLength(0);
});

test('a retry whose first try was lost asks with the same key; another call with another', async () => {
  failing.push('lost');
  expect((await tell('lost', 'b-lost')).status).toBe(500);
  expect((await tell('lost', 'b-lost')).status).toBe(201);
  expect((await tell('lost', 'b-found')).status).toBe(201);
  const keys = questionsWith('lost').map((one) => one.key);
  expect(keys[0]).toBe(keys[1]);
  expect(keys[2]).not.toBe(keys[0]);
});

test('refusals of others, and before them, are kept as the work’s; 400 and 5xx claim nothing', async () => {
  for (const [text, name] of [
    ['refuse late', 'b-late'],
    ['refuse early', 'b-early'],
  ] as const) {
    answers = text === 'refuse late' ? [() => Promise.reject(new Refusal('invalid_state', { message: 'no' }))] : [];
    const first = await tell(text, name);
    const again = await tell(text, name);
    expect([first.status, again.headers.get('idempotent-replayed')]).toEqual([409, 'true']);
    expect(again.text).toBe(first.text);
  }
  expect(questionsWith('refuse late')).toHaveLength(1);
  const gone = await tell('gone', 'b-gone', t.url, 'nowhere');
  expect(gone.status).toBe(404);
  expect((await tell('gone', 'b-gone', t.url, 'nowhere')).headers.get('idempotent-replayed')).toBe('true');

  answers = [() => Promise.reject(new Refusal('unavailable')), () => Promise.reject(new Error('a fault on purpose'))];
  expect((await tell('away', 'b-away')).status).toBe(503);
  expect((await tell('away', 'b-away')).status).toBe(500);
  expect((await tell('away', 'b-away')).status).toBe(201);
  expect((await tell('invalid', 'b-invalid')).status).toBe(400);
  expect((await tell('plain', 'b-invalid')).status).toBe(201);
});

test('twins are one piece of work, here and on two processes', async () => {
  const slowly = async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return 'slowly';
  };
  answers = [slowly];
  const replies = await Promise.all(Array.from({ length: 20 }, () => tell('twins', 'b-twins')));
  expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
  expect(questionsWith('twins')).toHaveLength(1);

  answers = [slowly, slowly];
  const two = await Promise.all([t.url, second.url].map((url) => tell('elsewhere', 'b-elsewhere', url)));
  expect(new Set(two.map((reply) => reply.text)).size).toBe(1);
  expect(new Set(questionsWith('elsewhere').map((one) => one.key)).size).toBe(1);
  const rows = await t.system((tx) =>
    tx.one<{ n: number }>(
      sql`select count(*)::int as n from audit_log where action = 'note.asked' and request_id = ${two[0]!.headers.get('x-request-id')}`,
    ),
  );
  expect(rows.n).toBe(1);
});

test('others that are slow do not keep an event’s lane waiting', async () => {
  let free!: (said: string) => void;
  answers = [() => new Promise((resolve) => (free = resolve))];
  const slow = tell('slow', 'b-slow');
  await expect.poll(() => questionsWith('slow').length).toBe(1);
  expect((await tell('quick', 'b-quick')).status).toBe(201);
  free('at last');
  expect((await slow).body.said).toBe('at last');
});
