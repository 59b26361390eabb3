import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Fault, Refusal } from '../../common/refusal.ts';
import { normalized } from '../../common/unicode.ts';
import { isCommon } from './common-passwords.ts';
import { hashes, type Line, type Queue } from './queue.ts';

/** argon2id with 19 MiB and two passes, as OWASP recommends. One takes about 55 ms of a processor (docs/decisions has the figures). */
const COST = { memory: 19 * 1024, passes: 2, parallelism: 1, tagLength: 32 };
const MIN_CHARACTERS = 12;
const MAX_BYTES = 1000;
/** The same characters can be typed in several ways (é is one character or two), so they are brought into one form. */
const normal = (password: string): Buffer => Buffer.from(normalized(password, 'NFKC'));

/** What is wrong with a new password. */
export function passwordFaults(password: string, path = 'password'): Fault[] {
  const text = normalized(password, 'NFKC');
  if ([...text].length < MIN_CHARACTERS)
    return [
      { path, message: `must have at least ${MIN_CHARACTERS} characters`, rule: 'too_short', limit: MIN_CHARACTERS },
    ];
  if (Buffer.byteLength(text) > MAX_BYTES) return [{ path, message: `must have at most ${MAX_BYTES} bytes` }];
  if (isCommon(text))
    return [{ path, message: 'is one of the most common passwords. Choose another one', rule: 'common_password' }];
  return [];
}

/** Hashes and checks passwords with Node's own argon2, which runs beside the main thread, in the order of the queue. */
export class Passwords {
  /** How many hashes were computed, for tests that compare the work of two answers. */
  computed = 0;
  readonly #queue: Queue;
  readonly #line: Line;
  /** Stands in for the hash of an account that is not there or has no password: the work is the same, and nothing fits it. */
  readonly #nobody = phc(COST, randomBytes(16), randomBytes(COST.tagLength));

  constructor({ queue = hashes, line = 'sign-in' }: { queue?: Queue; line?: Line } = {}) {
    this.#queue = queue;
    this.#line = line;
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

  /**
   * The hash to keep from now on, of a password that fits: a new one if the cost has changed since it was made. Null if it stays, also
   * when too many wait: then it is renewed the next time.
   */
  async renewed(password: string, hash: string): Promise<string | null> {
    const { cost } = parse(hash);
    if (Object.entries(COST).every(([name, value]) => cost[name as keyof typeof COST] === value)) return null;
    return this.hash(password).catch((error: unknown) => {
      if (error instanceof Refusal) return null;
      throw error;
    });
  }

  #compute(message: Buffer, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
    return this.#queue.run(this.#line, () => {
      this.computed += 1;
      return new Promise<Buffer>((resolve, reject) => {
        argon2('argon2id', { message, nonce, ...cost }, (error, tag) =>
          error === null ? resolve(tag) : reject(error),
        );
      });
    });
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
