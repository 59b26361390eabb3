import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Fault, refuse } from '../../road/refusal.ts';
import { normalized } from '../../unicode.ts';
import { isCommon } from './common-passwords.ts';

/** argon2id with 19 MiB and two passes, as OWASP recommends. One takes about 55 ms of a processor (docs/decisions has the figures). */
const COST = { memory: 19 * 1024, passes: 2, parallelism: 1, tagLength: 32 };
const SHORTEST = 12;
const LONGEST_BYTES = 1000;
/**
 * Each one takes a processor, and one of Node's four threads for such work, for as long as it runs. A processor and two threads are
 * left to everything else: files and names of hosts need these threads, too.
 */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
/** If more wait than this, their answer would come too late anyway. */
const MOST_WAITING = 200;

/** The same characters can be typed in several ways (é is one character or two), so they are brought into one form. */
const normal = (password: string): Buffer => Buffer.from(normalized(password, 'NFKC'));

/** What is wrong with a new password. */
export function passwordFaults(password: string, path = 'password'): Fault[] {
  const text = normalized(password, 'NFKC');
  if ([...text].length < SHORTEST)
    return [{ path, message: `must have at least ${SHORTEST} characters`, rule: 'too_short', limit: SHORTEST }];
  if (Buffer.byteLength(text) > LONGEST_BYTES) return [{ path, message: `must have at most ${LONGEST_BYTES} bytes` }];
  if (isCommon(text))
    return [{ path, message: 'is one of the most common passwords. Choose another one', rule: 'common_password' }];
  return [];
}

/**
 * Hashes and checks passwords with Node's own argon2, which runs beside the main thread. Only a few run at once and the others wait
 * in line, so that many sign-ins at the same moment neither take all processors nor all memory.
 */
export class Passwords {
  /** How many hashes were computed, for tests that compare the work of two answers. */
  computed = 0;
  /** The most that ever ran at once. */
  mostRunning = 0;
  readonly #limits: { atOnce: number; waiting: number };
  #running = 0;
  readonly #line: (() => void)[] = [];
  /** Stands in for the hash of an account that is not there or has no password: the work is the same, and nothing fits it. */
  readonly #nobody = phc(COST, randomBytes(16), randomBytes(COST.tagLength));

  constructor(limits: Partial<{ atOnce: number; waiting: number }> = {}) {
    this.#limits = { atOnce: AT_ONCE, waiting: MOST_WAITING, ...limits };
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    return phc(COST, salt, await this.#compute(normal(password), salt, COST));
  }

  /** Whether the password fits the hash. Without a hash it takes just as long and fits never. */
  async fits(password: string, hash: string | null): Promise<boolean> {
    const { cost, salt, tag } = parse(hash ?? this.#nobody);
    return timingSafeEqual(await this.#compute(normal(password), salt, cost), tag);
  }

  async #compute(message: Buffer, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
    await this.#turn();
    this.computed += 1;
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        argon2('argon2id', { message, nonce, ...cost }, (error, tag) =>
          error === null ? resolve(tag) : reject(error),
        );
      });
    } finally {
      this.#running -= 1;
      this.#line.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running >= this.#limits.atOnce) {
      if (this.#line.length >= this.#limits.waiting) {
        refuse('unavailable', { message: 'Too many people sign in at this moment. Try again in a few seconds.' });
      }
      await new Promise<void>((resolve) => this.#line.push(resolve));
    }
    this.#running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.#running);
  }
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/** The usual spelling of such a hash, which carries its own parameters: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
const phc = ({ memory, passes, parallelism }: typeof COST, salt: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;

function parse(hash: string): { cost: typeof COST; salt: Buffer; tag: Buffer } {
  const [, memory, passes, parallelism, salt, tag] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(hash) ?? [];
  if (tag === undefined) throw new Error('a stored password hash cannot be read');
  const bytes = Buffer.from(tag, 'base64');
  const cost = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: bytes.length,
  };
  return { cost, salt: Buffer.from(salt!, 'base64'), tag: bytes };
}
