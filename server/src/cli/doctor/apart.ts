import { fork } from 'node:child_process';

/**
 * Asks in a process of its own. Reading a folder on a server that went away, and asking the system for a name that nobody answers for,
 * hold a thread that nothing in this process can free: it could not even end. The other process is killed.
 */
export function apart<Answer>(
  task: 'names' | 'files' | 'room',
  input: unknown,
  ms: number,
  onPart: (part: never) => void = () => {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./apart-main.ts', import.meta.url), [], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Each name and each folder that does not answer holds one.
      env: { ...process.env, UV_THREADPOOL_SIZE: '64' },
    });
    const over = (settle: () => void) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      child.unref();
      child.channel?.unref();
      settle();
    };
    const timer = setTimeout(() => over(() => reject(new NoAnswer(ms))), ms);
    child.on('error', (error) => over(() => reject(error)));
    child.on('exit', () => over(() => reject(new Error('the process that asked ended'))));
    child.on('message', (message: { part?: never; answer?: Answer; fault?: string }) => {
      if (message.part !== undefined) onPart(message.part);
      else if (message.fault !== undefined) over(() => reject(new Error(message.fault)));
      else over(() => resolve(message.answer!));
    });
    child.send({ task, input });
  });
}

export class NoAnswer extends Error {
  constructor(ms: number) {
    super(`no answer in ${ms / 1000} s`);
  }
}
