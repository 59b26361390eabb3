import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { spawnSafely, until } from './process.ts';

/**
 * Long enough for a restart after a crash or an upgrade to find PostgreSQL still running; short enough that a machine that no longer
 * runs Turnout is not left with a PostgreSQL.
 */
export const ORPHAN_SECONDS = 300;

/**
 * Turnout holds the other end of the script's standard input. A line on it means that everything was stopped cleanly. End of file
 * without a line means that Turnout is gone, whatever ended it. The script then waits, leaves if another Turnout takes the lock,
 * and otherwise ends PostgreSQL by running orphan.ts. It is a shell script because it lives as long as the server: a shell takes
 * 1 MB, Node would take 40.
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
  /** Ends the watchdog, because everything was stopped cleanly. */
  dismiss(): Promise<void>;
}

export function startWatchdog(dataDir: string, lock: { path: string; text: string }, seconds: number): Watchdog {
  const program = [process.execPath, '--no-warnings', fileURLToPath(new URL('./orphan.ts', import.meta.url)), dataDir];
  // It runs in a session of its own, like the server, so that neither Ctrl-C nor a closed terminal reaches it.
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
  // Without a shell, an orphaned PostgreSQL stays until the next start takes it over.
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
