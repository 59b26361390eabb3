import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '../../common/refusal.ts';
import { type MadePicture, type Order, type Outcome, type PictureKind, READY } from './order.ts';
import { refuseUnusable } from './unusable.ts';

interface WaitingPicture {
  /** Reads the file. Called when its turn has come, so that files that wait are not in memory. */
  read: () => Promise<Buffer>;
  kind: PictureKind;
  done: (outcome: Outcome) => void;
  failed: (error: unknown) => void;
}

/** How many pictures may wait, each of them with its caller: of one organization, and of all. */
const MAX_WAITING_PICTURES = { own: 4, all: 20 };
const MAX_READ_MS = 30_000;
/** What the other process gets of our environment: nothing that is secret. */
const PASSED_ON = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'SystemRoot'];

/**
 * Makes the pictures that are served of those that are uploaded, one at a time. Whoever sends a picture chooses every byte that the
 * decoder reads. So it runs in a process of its own, which ends after each picture: a picture that crashes it, runs forever or
 * needs much memory (490 MB were measured for an interlaced PNG of 40 million pixels) is refused, and the server goes on. Organizations take turns.
 */
export class Pictures {
  readonly #waiting = new Map<string, WaitingPicture[]>();
  readonly #longest: number;
  #busy = false;
  constructor({ longest = MAX_READ_MS }: { longest?: number } = {}) {
    this.#longest = longest;
  }

  async make(read: () => Promise<Buffer>, kind: PictureKind, organization: string): Promise<MadePicture> {
    const outcome = await new Promise<Outcome>((done, failed) => {
      const queue = this.#waiting.get(organization) ?? [];
      const all = [...this.#waiting.values()].reduce((sum, one) => sum + one.length, 0);
      if (queue.length >= MAX_WAITING_PICTURES.own || all >= MAX_WAITING_PICTURES.all) {
        const whom =
          queue.length >= MAX_WAITING_PICTURES.own ? `${MAX_WAITING_PICTURES.own} of your pictures` : 'Many pictures';
        refuse('unavailable', { message: `${whom} are already waiting to be read. Try again in a moment.` });
      }
      queue.push({ read, kind, done, failed });
      this.#waiting.set(organization, queue);
      void this.#next();
    });
    return typeof outcome === 'string' ? refuseUnusable(outcome) : outcome;
  }

  async #next(): Promise<void> {
    const [turn] = this.#waiting;
    if (this.#busy || turn === undefined) return;
    const [organization, queue] = turn;
    const first = queue.shift()!;
    // If the organization has more pictures, it goes behind all others.
    this.#waiting.delete(organization);
    if (queue.length > 0) this.#waiting.set(organization, queue);
    this.#busy = true;
    try {
      first.done(await inProcess(await first.read(), first.kind, this.#longest));
    } catch (error) {
      first.failed(error);
    }
    this.#busy = false;
    void this.#next();
  }
}

function inProcess(source: Buffer, kind: PictureKind, longest: number): Promise<Outcome> {
  const child = fork(new URL('./process.ts', import.meta.url), {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: Object.fromEntries(PASSED_ON.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : []))),
  });
  yieldToOthers(child);
  let isReady = false;
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(String(code ?? signal)));
    child.once('error', (error) => resolve(error.message));
  });
  const outcome = new Promise<Outcome>((done) => {
    child.on('message', (message) => {
      if (message !== READY) return done(message as Outcome);
      isReady = true;
      child.send({ source, kind } satisfies Order, () => {});
    });
  });
  const lost = ended.then((how): Outcome => {
    if (isReady) return 'damaged';
    throw new Error(`The process that reads pictures did not start (${how}).`);
  });
  const late = sleep(longest, 'too_slow' as const, { ref: false });
  return Promise.race([outcome, lost, late]).finally(async () => {
    child.kill('SIGKILL');
    await ended; // so that there are never two
  });
}

/** A picture can wait, and a scan at the door cannot. */
function yieldToOthers({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system does not allow it.
  }
}
