import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Id } from '../common/ids.ts';
import type { Secrets } from '../common/secrets.ts';

/** How an agent is called that does not say its name. */
export const NAMELESS = 'mcp';
const LONGEST_NAME = 100;
const LASTS_MS = 30 * 24 * 3_600_000;

/**
 * The name of an agent as `X-Service-Client` may be: at most 100 characters, none of them a control character. Characters that cannot
 * be seen are left out as well, because people read the name in the audit log.
 */
export function agentName(given: unknown): string {
  if (typeof given !== 'string') return NAMELESS;
  const seen = given
    .slice(0, 4 * LONGEST_NAME)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return [...seen].slice(0, LONGEST_NAME).join('').trim() || NAMELESS;
}

interface Session {
  name: string;
  key: string;
  expires: number;
}

/**
 * Until the protocol's version of 2025-11-25, an agent says its name once, in `initialize`, and sends the id of its session from then
 * on. Nothing is kept about sessions: the id is the name itself, signed for one key. It gives no access to anything.
 */
export class Sessions {
  readonly #secrets: Secrets;
  readonly #clock: Clock;
  constructor(secrets: Secrets, clock: Clock) {
    this.#secrets = secrets;
    this.#clock = clock;
  }

  begin(name: string, key: Id): string {
    const session: Session = { name, key, expires: this.#clock.now().getTime() + LASTS_MS };
    const body = Buffer.from(JSON.stringify(session)).toString('base64url');
    return `${body}.${this.#sign(body).toString('base64url')}`;
  }

  /** The name of the agent. Null if the session is not one of this key, or is over. */
  read(id: string, key: Id): string | null {
    const [body, signature, ...more] = id.split('.');
    if (body === undefined || signature === undefined || more.length > 0) return null;
    const good = this.#sign(body);
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== good.length || !timingSafeEqual(given, good)) return null;
    const session = JSON.parse(Buffer.from(body, 'base64url').toString()) as Session;
    return session.key === key && session.expires > this.#clock.now().getTime() ? session.name : null;
  }

  #sign(body: string): Buffer {
    return this.#secrets.sign(`agent session ${body}`);
  }
}
