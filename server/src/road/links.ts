import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Secrets } from '../secrets.ts';
import { toUlid } from '../store/ids.ts';

/** A link that needs no key: what it opens, for whom and until when is in it, signed. */
export interface Opens {
  kind: string;
  org: string;
  expires: number;
  [more: string]: unknown;
}

/** What a link of each kind leads to: how the log names it. */
const LEADS_TO: Readonly<Record<string, string>> = {
  roster: 'event',
  jobs: 'job',
  unsubscribe: 'communication',
};

export class Links {
  readonly #secrets: Secrets;
  readonly #clock: Clock;
  readonly #base: string;
  constructor(secrets: Secrets, clock: Clock, base: string) {
    this.#secrets = secrets;
    this.#clock = clock;
    this.#base = base;
  }

  make(opens: Opens): string {
    const body = Buffer.from(JSON.stringify(opens)).toString('base64url');
    return `${this.#base}/links/${opens.kind}/${body}.${this.#secrets.sign(`link ${body}`).toString('base64url')}`;
  }

  /** null: not ours, for something else, or over. */
  open(kind: string, token: string): Opens | null {
    const opens = this.#read(token);
    return opens?.kind === kind && opens.expires > this.#clock.now().getTime() ? opens : null;
  }

  /** The id of what a link of ours leads to, also when it is over; null where it is not ours. */
  idOf(token: string): string | null {
    const opens = this.#read(token);
    const id = opens?.[LEADS_TO[opens.kind] ?? ''];
    return typeof id === 'string' ? toUlid(id) : null;
  }

  #read(token: string): Opens | null {
    const [body, signature] = token.split('.');
    if (body === undefined || signature === undefined) return null;
    const good = this.#secrets.sign(`link ${body}`);
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== good.length || !timingSafeEqual(given, good)) return null;
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as Opens;
  }
}
