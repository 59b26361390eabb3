import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestTurnout } from './turnout.ts';

/** A server in a process of its own, on the database of the test. */
export interface ServerProcess {
  url: string;
  child: ChildProcess;
  /** Resolves with the signal by which it ended. */
  gone: Promise<NodeJS.Signals | null>;
}

const children = new Set<ChildProcess>();
/** Ends the processes that a failed test has left. */
export function endProcesses(): void {
  for (const child of children) child.kill('SIGKILL');
}

/** With `crash`, the server kills itself at that point (crashing-server.ts). Its clock is that of the test. */
export async function startProcess(
  t: TestTurnout,
  crash?: 'before-commit' | 'after-commit' | 'before-answer',
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./crashing-server.ts', import.meta.url))], {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      PORT: '0',
      DATA_DIR: t.dataDir,
      DATABASE_URL: t.database.url,
      FILES_URL: t.database.files,
      SANDBOX: 'off',
      ROLES: 'api',
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      AHEAD: String(t.clock.now().getTime() - Date.now()),
      ...(crash && { CRASH: crash }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const gone = once(child, 'exit').then(([, signal]) => {
    children.delete(child);
    return signal as NodeJS.Signals | null;
  });
  const [line] = (await Promise.race([
    once(child.stdout!, 'data'),
    gone.then(() => Promise.reject(new Error('The server did not start.'))),
  ])) as [Buffer];
  return { url: line.toString().trim(), child, gone };
}
