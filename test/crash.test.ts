import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { traces } from './support/operations.ts';
import { call, startTest, type TestTurnout } from './support/turnout.ts';

let t: TestTurnout;
let key: string;
const dataDir = mkdtempSync(join(tmpdir(), 'turnout-crash-'));
beforeAll(async () => {
  t = await startTest(); // to look at the database; the requests go to the child processes
  await t.org('acme');
  key = (await t.key('acme')).secret;
});
afterAll(async () => {
  await t.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function server(crash?: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./support/crashing-server.ts', import.meta.url))], {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: t.database.url,
      FILES_URL: t.database.files,
      SANDBOX: 'off',
      ROLES: 'api',
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      ...(crash && { CRASH: crash }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return { url: line.toString().trim(), child };
}

test.each(['before-commit', 'after-commit'])('kill -9 %s, then a retry: the work is done once', async (where) => {
  const text = `crash-${where}`;
  const body = { text };
  const doomed = await server(where);
  const gone = once(doomed.child, 'exit');
  await expect(call(doomed.url, 'POST', '/v1/notes', { key, idempotencyKey: text, body })).rejects.toThrow();
  expect((await gone)[1]).toBe('SIGKILL');
  // The control: at that moment the work really was committed, or really was not.
  expect((await traces(t, text)).notes).toBe(where === 'after-commit' ? 1 : 0);

  const next = await server();
  const retry = await call(next.url, 'POST', '/v1/notes', { key, idempotencyKey: text, body });
  expect(retry.status).toBe(201);
  expect(retry.headers.get('idempotent-replayed')).toBe(where === 'after-commit' ? 'true' : null);
  expect(await traces(t, text)).toEqual({ notes: 1, audit: 1, outbox: 1 });
  const stopped = once(next.child, 'exit');
  next.child.kill('SIGTERM');
  expect((await stopped)[0]).toBe(0);
});
