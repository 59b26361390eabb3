import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/**
 * Scans at an even pace, however long the answers take. Each time is counted from the moment at which the scan was due, so a
 * stall of the server shows in every scan that was due meanwhile. Ends when the codes are used up, or by SIGTERM, and prints all
 * times in milliseconds.
 */
export interface Doors {
  url: string;
  key: string;
  path: string;
  codes: string[];
  perSecond: number;
}
const doors = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Doors;
const pool = new Pool(doors.url, { connections: 32 });

async function scan(code: string): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: doors.path,
    headers: {
      authorization: `Bearer ${doors.key}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ code, check_in_point: 'gate', client_uuid: randomUUID() }),
  });
  const { result } = (await body.json()) as { result?: string };
  if (result !== 'accepted') throw new Error(`A scan was answered ${statusCode} ${result} instead of accepted.`);
}

let open = true;
process.on('SIGTERM', () => {
  open = false;
});
const times: number[] = [];
const waiting: Promise<unknown>[] = [];
const began = performance.now();
for (const [n, code] of doors.codes.entries()) {
  const due = began + (n * 1000) / doors.perSecond;
  const early = due - performance.now();
  if (early > 0) await sleep(early);
  if (!open) break;
  waiting.push(scan(code).then(() => times.push(performance.now() - due)));
}
await Promise.all(waiting);
await pool.close();
process.stdout.write(JSON.stringify(times));
