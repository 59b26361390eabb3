import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Body } from '@turnout/contract';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { call, startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { ConfigError } from '../config.ts';
import { operation } from '../road/operation.ts';
import { sql } from '../store/sql.ts';
import { Secrets } from './secrets.ts';

describe('an encrypted text', () => {
  const secrets = new Secrets(randomBytes(32));
  const plain = Buffer.from('whsec_Grüße 👋 \0 and more');

  test.each([0, 1, 31, 100_000])('comes back byte for byte (%i bytes)', (length) => {
    const bytes = randomBytes(length);
    expect(secrets.decrypt(secrets.encrypt(bytes)).equals(bytes)).toBe(true);
  });

  test('does not show the plain text and looks different each time', () => {
    const sealed = [secrets.encrypt(plain), secrets.encrypt(plain)] as const;
    expect(sealed[0].equals(sealed[1])).toBe(false);
    expect(sealed[0].subarray(0, 12).equals(sealed[1].subarray(0, 12))).toBe(false);
    for (const one of sealed) expect(one.includes('whsec_')).toBe(false);
  });

  test('cannot be decrypted if any byte was changed', () => {
    const sealed = secrets.encrypt(plain);
    for (let i = 0; i < sealed.length; i += 1) {
      const changed = Buffer.from(sealed);
      changed[i] = changed[i]! ^ 1;
      expect(() => secrets.decrypt(changed)).toThrow();
    }
    for (const length of [0, 11, sealed.length - 1]) {
      expect(() => secrets.decrypt(sealed.subarray(0, length))).toThrow();
    }
  });

  test('is decrypted only with the same key, by any process that has it', () => {
    const master = randomBytes(32);
    const sealed = new Secrets(master).encrypt(plain);
    expect(new Secrets(Buffer.from(master)).decrypt(sealed).equals(plain)).toBe(true);
    expect(() => secrets.decrypt(sealed)).toThrow();
  });
});

describe('a signature', () => {
  test('is the same for the same key and text, and for no other', () => {
    const master = randomBytes(32);
    const mark = new Secrets(master).sign('roster/1');
    expect(new Secrets(master).sign('roster/1').equals(mark)).toBe(true);
    expect(new Secrets(master).sign('roster/2').equals(mark)).toBe(false);
    expect(new Secrets(randomBytes(32)).sign('roster/1').equals(mark)).toBe(false);
  });
});

test('a short key is refused', () => {
  expect(() => new Secrets(randomBytes(31))).toThrow('32 bytes');
});

/** Two operations that answer with a secret: one declares `secretAnswer`, the other does not. */
const reveal = (id: string, path: string, secretAnswer: boolean) =>
  operation({
    id,
    method: 'POST',
    path,
    scope: 'write',
    entitlement: 'api_write',
    member: null,
    audit: 'secret.shown',
    secretAnswer,
    at: {},
    body: Body({ name: Type.String() }),
    reply: Type.Object({ name: Type.String(), secret: Type.String() }),
    status: 201,
    refusals: [],
    tag: 'Secrets',
    summary: 'Shows a secret once',
    handle: async ({ body }) => ({ name: body.name, secret: `whsec_${randomBytes(32).toString('base64')}` }),
  });
const operations = [reveal('showSecret', '/secrets', true), reveal('showOpenly', '/open-secrets', false)];

describe('an answer that shows a secret once', () => {
  let t: TestTurnout;
  let key: string;
  beforeAll(async () => {
    t = await startTest({ operations });
    await t.org('acme');
    key = (await t.key('acme')).secret;
  });
  afterAll(() => t.stop());

  const show = (url: string, path: string, word: string) =>
    call(url, 'POST', path, { key, idempotencyKey: word, body: { name: 'Zoë' } });
  const stored = (word: string) =>
    t.system((tx) =>
      tx.one<{ body: Buffer; encrypted: boolean; row: string }>(
        sql`select body, encrypted, i::text as row from idempotency i where key = ${word}`,
      ),
    );
  const hex = (text: string) => Buffer.from(text).toString('hex');

  test('is stored encrypted, and repeated byte for byte', async () => {
    const first = await show(t.url, '/v1/secrets', 'secret');
    expect(first.status).toBe(201);
    const { secret } = first.body;
    const kept = await stored('secret');
    expect(kept.encrypted).toBe(true);
    expect(kept.body.includes(secret)).toBe(false);
    expect(kept.row.includes(secret) || kept.row.includes(hex(secret)) || kept.row.includes(hex('whsec_'))).toBe(false);

    const again = await show(t.url, '/v1/secrets', 'secret');
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('x-request-id')).toBe(first.headers.get('x-request-id'));
  });

  test('is repeated by another process with the same secret key', async () => {
    const first = await show(t.url, '/v1/secrets', 'elsewhere');
    const second = await startTest({ operations, database: t.database, clock: t.clock });
    const again = await show(second.url, '/v1/secrets', 'elsewhere');
    await second.stop();
    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  test('is nowhere else in the database', async () => {
    const { secret } = (await show(t.url, '/v1/secrets', 'nowhere')).body;
    const found = await t.system(async (tx) => {
      const texts = await tx.all<{ row: string }>(sql`
        select a::text as row from audit_log a union all select o::text from outbox o union all select m::text from mails m`);
      return texts.filter(({ row }) => row.includes(secret));
    });
    expect(found).toEqual([]);
  });

  test('the control: without `secretAnswer` the stored answer shows it', async () => {
    const { secret } = (await show(t.url, '/v1/open-secrets', 'open')).body;
    const kept = await stored('open');
    expect([kept.encrypted, kept.body.includes(secret), kept.row.includes(hex('whsec_'))]).toEqual([false, true, true]);
  });
});

describe('a database that belongs to another secret key', () => {
  let database: TestDatabase;
  const right = Buffer.alloc(32, 7).toString('base64');
  const wrong = Buffer.alloc(32, 8).toString('base64');
  const folder = mkdtempSync(join(tmpdir(), 'turnout-secrets-'));
  beforeAll(async () => {
    database = await cloneDatabase();
    await (await startTest({ database })).stop();
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts the server as an operator does. Returns what it printed and how it ended. */
  async function start(env: Record<string, string>): Promise<{ code: number; out: string; said: string[] }> {
    const child = spawn(process.execPath, [fileURLToPath(new URL('../main.ts', import.meta.url))], {
      env: {
        ...process.env,
        PORT: '0',
        DATA_DIR: folder,
        DATABASE_URL: database.url,
        FILES_URL: database.files,
        SANDBOX: 'off',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const [code] = await once(child, 'close');
    return { code, out, said: err.trimEnd().split('\n') };
  }

  test('stops the start with one clear line', async () => {
    const { code, out, said } = await start({ SECRET_KEY: wrong });
    expect([code, out]).toEqual([1, '']);
    expect(said).toEqual([
      expect.stringMatching(/^turnout: This database belongs to another secret key\. Set SECRET_KEY .*\.$/),
    ]);
  });

  test('a key that is too short stops the start, too, before anything is changed', async () => {
    const { code, said } = await start({ SECRET_KEY: 'c2hvcnQ=' });
    expect(code).toBe(1);
    expect(said).toEqual([expect.stringMatching(/^turnout: SECRET_KEY must be at least 32 random bytes in base64/)]);
  });

  test('is unchanged after the refusal: the right key still starts it', async () => {
    await expect(startTest({ database, env: { SECRET_KEY: wrong } })).rejects.toBeInstanceOf(ConfigError);
    const again = await startTest({ database, env: { SECRET_KEY: right } });
    expect((await again.call('GET', '/readyz')).status).toBe(200);
    await again.stop();
  });

  test('without SECRET_KEY the key is a file in DATA_DIR that only its owner can read, and another key is refused', async () => {
    const fresh = await cloneDatabase();
    const home = mkdtempSync(join(folder, 'home-'));
    const first = await startTest({ database: fresh, env: { SECRET_KEY: '', DATA_DIR: home } });
    await first.stop();
    const file = join(home, 'secret.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Buffer.from(readFileSync(file, 'utf8'), 'base64')).toHaveLength(32);

    await (await startTest({ database: fresh, env: { SECRET_KEY: '', DATA_DIR: home } })).stop();
    const other = mkdtempSync(join(folder, 'other-'));
    await expect(startTest({ database: fresh, env: { SECRET_KEY: '', DATA_DIR: other } })).rejects.toThrow(
      'another secret key',
    );
    writeFileSync(file, 'damaged');
    await expect(startTest({ database: fresh, env: { SECRET_KEY: '', DATA_DIR: home } })).rejects.toThrow('damaged');
    await fresh.drop();
  });
});

test('a truncated encrypted text is refused', () => {
  const secrets = new Secrets(Buffer.alloc(32, 1));
  expect(() => secrets.decrypt(secrets.encrypt(Buffer.alloc(0)).subarray(0, 16))).toThrow();
});
