import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Secrets } from '../secrets.ts';
import { toUlid } from '../store/ids.ts';
import { PageLinks } from './page-links.ts';

/** What a signed link opens, for which organization and until when. It is part of the link, so that the link needs no key. */
export interface Opens {
  kind: string;
  org: string;
  expires: number;
  [more: string]: unknown;
}

/** The field of each kind of link that holds the id of what it opens. The log shows it. */
const LEADS_TO: Readonly<Record<string, string>> = {
  roster: 'event',
  jobs: 'job',
  unsubscribe: 'communication',
};

export class Links extends PageLinks {
  readonly #secrets: Secrets;
  readonly #clock: Clock;
  readonly #base: string;
  readonly #app: string;
  constructor(secrets: Secrets, clock: Clock, base: string, app = base) {
    super(app);
    this.#secrets = secrets;
    this.#clock = clock;
    this.#base = base;
    this.#app = app;
  }

  /** Whether it is a host of the installation itself, which no organization can have. */
  isOwnHost(host: string): boolean {
    return [this.#base, this.#app].some((address) => new URL(address).hostname === host);
  }

  /** A screen of the admin app. Its token stands in the fragment, which browsers keep to themselves: no log contains it. */
  screen(name: 'invitation', token: string): string {
    return `${this.#app}/app/-/${name}#${token}`;
  }

  make(opens: Opens): string {
    const body = Buffer.from(JSON.stringify(opens)).toString('base64url');
    return `${this.#base}/links/${opens.kind}/${body}.${this.#secrets.sign(`link ${body}`).toString('base64url')}`;
  }

  /** Null if the link is not ours, is of another kind or has expired. */
  open(kind: string, token: string): Opens | null {
    const opens = this.#read(token);
    return opens?.kind === kind && opens.expires > this.#clock.now().getTime() ? opens : null;
  }

  /** The id of what a link opens, even if it has expired. Null if the link is not ours. */
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
