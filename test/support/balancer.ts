import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { freePort, ROOT } from './running.ts';

const PAGE = readFileSync(join(ROOT, 'docs', 'operating', 'database.md'), 'utf8');
/** The configuration that operators copy. What is tested here is what they get. */
const PUBLISHED = /^```haproxy\n(.*?)^```/ms.exec(PAGE)![1]!;

export interface Balancer {
  url: string;
  /** What HAProxy says to a command of its runtime API. */
  ask(command: string): Promise<string>;
  /** Whether it sends calls to this server: `UP`, `DOWN`, `MAINT` … */
  stateOf(server: string): Promise<string>;
  /** How many calls are on their way through it to this server. */
  sessionsOf(server: string): Promise<number>;
  stop(): Promise<void>;
}

/** HAProxy with the published configuration, in front of servers `a` and `b` on these ports. */
export async function startBalancer(ports: { a: number; b: number }): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-haproxy-'));
  const socket = join(folder, 'admin');
  const port = await freePort();
  const config = PUBLISHED.replace(/^( *bind ).*$/m, `$1127.0.0.1:${port}`)
    .replace(/^( *server a )\S+/m, `$1127.0.0.1:${ports.a}`)
    .replace(/^( *server b )\S+/m, `$1127.0.0.1:${ports.b}`);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, `global\n  stats socket ${socket} level admin\n${config}`);
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ask = (command: string): Promise<string> => {
    const client = createConnection(socket);
    client.end(`${command}\n`);
    return text(client);
  };
  const stop = () => end(child, folder);
  await vi
    .waitFor(() => ask('show info'), { timeout: 10_000 })
    .catch(async (error) => {
      await stop();
      throw new Error(`HAProxy does not start:\n${said}`, { cause: error });
    });
  const columnOf = async (server: string, name: string): Promise<string> => {
    const [head, ...rows] = (await ask('show stat'))
      .replace(/^# /, '')
      .split('\n')
      .map((line) => line.split(','));
    return rows.find((row) => row[head!.indexOf('svname')] === server)![head!.indexOf(name)]!;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    ask,
    stateOf: (server) => columnOf(server, 'status'),
    sessionsOf: async (server) => Number(await columnOf(server, 'scur')),
    stop,
  };
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
  rmSync(folder, { recursive: true, force: true });
}
