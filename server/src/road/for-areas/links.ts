import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { type Id, toUlid } from '../../common/ids.ts';
import { PageLinks, type PagesOf } from '../../common/page-links.ts';
import type { Secrets } from '../../common/secrets.ts';

/** What a signed link opens, for which organization and until when. It is part of the link, so that the link needs no key. */
export interface Opens {
  kind: string;
  org: string;
  expires: number;
  [more: string]: unknown;
}

/** Every kind of link, with its field that holds the id of what it opens. The log shows that id. */
export const LEADS_TO: Readonly<Record<string, string>> = {
  roster: 'event',
  jobs: 'job',
  unsubscribe: 'communication',
};

/** What a link in a mail lets somebody manage: a registration, or one attendee's place in it. */
export interface Manages {
  registration: Id;
  attendee: Id | null;
}

interface OpenedLink extends Manages {
  org: Id;
  email: string;
}

/** How somebody got a link: by a mail to the address, or on the page that follows the form. */
export type Way = 'mailed' | 'shown';

const bytesOf = (id: Id): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
const idOf = (bytes: Buffer): Id =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as Id;

/**
 * All links are of format 1 and have no number. A later format begins with its number and a dot (`2.`); it is no link of format 1,
 * neither by its parts nor by its letters, so a version that does not know it refuses it like a link that is not ours.
 */
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

  /**
   * The page on which somebody manages a registration, or an attendee their own place. It needs no key and stands in mails. Besides what
   * it opens it is signed with the e-mail address that it was sent to, so it stops working when the registrant changes, the place is
   * handed on or the person is erased. Until when it works depends on the event (areas/pages).
   */
  manage(of: PagesOf, opens: OpenedLink): string {
    return `${this.pages(of)}/my/${this.manageToken(opens)}`;
  }

  /**
   * `shown` is for a link that goes to whoever has just filled in the form, who may have typed somebody else's address. It opens the
   * same, but using it does not prove that the address is theirs. Only a link that was mailed there does.
   */
  manageToken(opens: OpenedLink, way: Way = 'mailed'): string {
    const ids = [opens.registration, ...(opens.attendee === null ? [] : [opens.attendee])];
    return Buffer.concat([...ids.map(bytesOf), this.#manageSignature(opens, way)]).toString('base64url');
  }

  /** What a link to manage a registration names, whether or not it is signed. Null if it is no such link at all. */
  readManage(token: string): Manages | null {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.toString('base64url') !== token) return null;
    if (bytes.length !== 32 && bytes.length !== 48) return null;
    const attendee = bytes.length === 48 ? idOf(bytes.subarray(16, 32)) : null;
    return { registration: idOf(bytes.subarray(0, 16)), attendee };
  }

  /** Whether the link was made by us for this address, and then in which way it was given to somebody. */
  wayOf(token: string, opens: OpenedLink): Way | null {
    const given = Buffer.from(token, 'base64url').subarray(-16);
    const isSigned = (way: Way) => {
      const good = this.#manageSignature(opens, way);
      return given.length === good.length && timingSafeEqual(given, good);
    };
    // Both are computed in every case, so that the time tells nothing.
    const [mailed, shown] = [isSigned('mailed'), isSigned('shown')];
    return mailed ? 'mailed' : shown ? 'shown' : null;
  }

  #manageSignature({ org, registration, attendee, email }: OpenedLink, way: Way): Buffer {
    const kind = way === 'mailed' ? 'manage' : 'manage shown';
    const signed = [kind, org, registration, attendee ?? '', email.trim().toLowerCase()].join(' ');
    return this.#secrets.sign(signed).subarray(0, 16);
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
    const [body, signature, ...more] = token.split('.');
    if (body === undefined || signature === undefined || more.length > 0) return null;
    const good = this.#secrets.sign(`link ${body}`);
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== good.length || !timingSafeEqual(given, good)) return null;
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as Opens;
  }
}
