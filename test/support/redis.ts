import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { vi } from 'vitest';
import { freePort } from './running.ts';

/** A Redis of its own, on loopback. It keeps nothing on disk. */
export interface TestRedis {
  port: number;
  url: string;
  folder: string;
  client: Redis;
  /** It takes commands and answers none, until it is woken up. */
  freeze(): void;
  wake(): void;
  stop(): void;
}

export async function startRedis(): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-redis-'));
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const server = spawn('redis-server', options, { stdio: 'ignore' });
  const client = new Redis(port, '127.0.0.1');
  client.on('error', () => {});
  await vi.waitUntil(async () => (await client.ping().catch(() => '')) === 'PONG', { timeout: 10_000 });
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    folder,
    client,
    freeze: () => void server.kill('SIGSTOP'),
    wake: () => void server.kill('SIGCONT'),
    stop: () => {
      client.disconnect();
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
