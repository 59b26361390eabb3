import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Importing, openImporting } from './import.support.ts';

let x: Importing;
let event: string;
const usualFolder = process.env.TMPDIR;
beforeAll(async () => {
  process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'turnout-spool-')); // so that no uploads of others are there
  x = await openImporting();
  event = await x.event();
});
afterAll(async () => {
  await x.t.stop();
  rmSync(process.env.TMPDIR!, { recursive: true });
  if (usualFolder === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usualFolder;
});

/** Sends a large JSON import from another process, so that only the server can stall this one. */
async function send(line: string, bytes: number): Promise<{ status: number; body: string }> {
  const script = `
    const line = ${JSON.stringify(line)};
    const csv = 'First name,Last name,Type,Day,Note\\n' + line.repeat(${bytes} / Buffer.byteLength(line));
    fetch(${JSON.stringify(`${x.t.url}/v1/events/${event}/imports`)}, {
      method: 'POST',
      headers: { authorization: 'Bearer ${x.key}', 'idempotency-key': String(Math.random()), 'content-type': 'application/json' },
      body: JSON.stringify({ preview: true, csv }),
    }).then(async (reply) => console.log(JSON.stringify({ status: reply.status, body: await reply.text() })));`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  await once(child, 'exit');
  return JSON.parse(out);
}

// Parsing the whole body at once took a second and a half; in pieces, some ten milliseconds.
test.each([
  ['ordinary rows', 'Ada,Lovelace,adult,fri,"she said ""hello"""\n'],
  ['rows of other scripts', 'Zoë,日本語,adult,fri,😀 Größe\n'],
  ['rows of stray quotes', '"Ada,"Lovelace",adult,"fri","x"y"z"\n'],
])('a JSON import of 38 MB holds nobody else up: %s', async (_name, line) => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const { status, body } = await send(line, 38_000_000);
  delay.disable();
  expect([202, 400], body).toContain(status);
  expect(delay.max / 1e6).toBeLessThan(500);
  if (status === 202) await x.post(`/jobs/${JSON.parse(body).id}/cancel`);
  await expect.poll(() => readdirSync(tmpdir()).filter((name) => name.startsWith('turnout-upload-'))).toEqual([]);
});
