import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { spawnSafely, until } from './process.ts';

/** A crash loop or an upgrade takes over a warm server; a machine that is done with Turnout is not left with a PostgreSQL. */
export const ORPHAN_SECONDS = 300;

/**
 * Turnout holds the other end of its standard input. A word means that all was stopped as it should be; the end without one
 * that Turnout is gone, whatever ended it. Then it waits, for as long as nobody takes the lock over, and ends the server.
 * A shell, because it lives as long as the server and so costs 1 MB; Node (orphan.ts) would cost 40.
 */
const SCRIPT = `
read -r word && exit 0
lock=$1 mine=$2 left=$3
shift 3
while [ "$left" -gt 0 ]; do
  sleep 1
  now=
  read -r now < "$lock" || [ -n "$now" ] || exit 0
  [ "$now" = "$mine" ] || exit 0
  left=$((left - 1))
done
exec "$@"
`;

export interface Watchdog {
  /** All is stopped: it may go. */
  dismiss(): Promise<void>;
}

export function startWatchdog(dataDir: string, lock: { path: string; text: string }, seconds: number): Watchdog {
  const program = [process.execPath, '--no-warnings', fileURLToPath(new URL('./orphan.ts', import.meta.url)), dataDir];
  // In a session of its own, like the server: neither Ctrl-C nor a closed terminal reaches it.
  const child = spawnSafely(
    'sh',
    ['-c', SCRIPT, 'turnout-watchdog', lock.path, lock.text, String(seconds), ...program],
    {
      cwd: '/',
      env: { PATH: process.env.PATH },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  // Where there is no shell, an orphan stays until the next start takes it over, as it always did.
  if (child instanceof Error) return { dismiss: async () => {} };
  child.on('error', () => {});
  child.unref();
  const input = child.stdin as Socket;
  input.on('error', () => {});
  input.unref();
  return { dismiss: () => dismiss(child, input) };
}

async function dismiss(child: ChildProcess, input: Socket): Promise<void> {
  input.end('stopped\n');
  const gone = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  if (!(await until(gone, 2000))) child.kill('SIGKILL');
}
