import { expect } from 'vitest';
import { type CallOptions, type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { addMember } from '../access/index.ts';
import { Passwords } from './passwords.ts';

export const PASSWORD = 'correct horse battery staple';

/** A browser: it keeps cookies and comes from an address of its own. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #t: TestTurnout;
  readonly #headers: Record<string, string>;

  constructor(t: TestTurnout, headers: Record<string, string> = {}) {
    this.#t = t;
    this.#headers = headers;
  }

  async call(method: string, path: string, body?: unknown, more: CallOptions = {}): Promise<Reply> {
    const reply = await this.#t.call(method, `/app/api/-${path}`, {
      ...(body !== undefined && { body }),
      ...more,
      headers: { ...this.#headers, ...(this.cookies.size > 0 && { cookie: this.header() }), ...more.headers },
    });
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    return reply;
  }

  header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
  get(path: string) {
    return this.call('GET', path);
  }
  post(path: string, body?: unknown, more?: CallOptions) {
    return this.call('POST', path, body, more);
  }
  get session(): string | undefined {
    return this.cookies.get('turnout_session');
  }

  async signIn(email: string, password = PASSWORD): Promise<Reply> {
    return this.post('/sign-in/password', { email, password });
  }
}

/** Addresses come from X-Forwarded-For, so that each test has a network of its own. */
export const PROXIED = { TRUSTED_PROXIES: '127.0.0.1,::1' };

export interface Person {
  id: Id;
  email: string;
}

export interface AccountWorld {
  t: TestTurnout;
  /** A browser in a network of its own, unless one is given. */
  browser(network?: string): Browser;
  /** A member of an organization, with a password unless it is null. The address is proved unless told otherwise. */
  person(options?: { org?: string; role?: string; password?: string | null; proved?: boolean }): Promise<Person>;
  /** The links that were mailed to an address, newest last. */
  links(email: string): Promise<string[]>;
  /** The texts of the mails that were sent to an address, newest last. */
  mails(email: string): Promise<string[]>;
  /** The audit rows about an account, oldest first. */
  audited(person: Person): Promise<string[]>;
}

let serial = 0;
export const newEmail = (): string => `person${++serial}@example.org`;

export async function accountWorld(options: Parameters<typeof startTest>[0] = {}): Promise<AccountWorld> {
  const mailed: { to: string; text: string }[] = [];
  const mail = {
    describe: 'kept by the test',
    send: async ({ to, text }: { to: string; text: string }) => void mailed.push({ to, text }),
    close: () => {},
  };
  const t = await startTest({ mail, ...options, env: { ...PROXIED, ...options.env } });
  const passwords = new Passwords();
  const hashes = new Map<string, Promise<string>>();
  const hashOf = (password: string) => {
    if (!hashes.has(password)) hashes.set(password, passwords.hash(password));
    return hashes.get(password)!;
  };
  let networks = 0;
  const mails = async (email: string) => {
    while ((await t.step.mails()) > 0);
    return mailed.filter(({ to }) => to === email).map(({ text }) => text);
  };
  return {
    t,
    mails,
    browser: (network) =>
      new Browser(t, {
        'x-forwarded-for': network ?? `198.51.${++networks >> 8}.${networks & 255}`,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      }),
    person: async ({ org = 'acme', role = 'owner', password = PASSWORD, proved = true } = {}) => {
      const email = newEmail();
      const hash = password === null ? null : await hashOf(password);
      const id = await t.system(async (tx) => {
        const row = await tx.maybe<{ id: Id }>(sql`select id from organizations where code = ${org}`);
        const { account } = await addMember(tx, row!.id, { email, role, name: 'Ada Lovelace' });
        const at = proved ? tx.clock.now() : null;
        await tx.run(sql`update accounts set password_hash = ${hash}, email_proved_at = ${at} where id = ${account}`);
        return account;
      });
      return { id, email };
    },
    links: async (email) => (await mails(email)).flatMap((text) => /#([\w-]{43})/.exec(text)?.[1] ?? []),
    audited: async ({ id }) => {
      const rows = await t.system((tx) =>
        tx.all<{ action: string }>(sql`
          select l.action from audit_log l join members m on m.org_id = l.org_id and m.id = l.object_id
          where m.account_id = ${id} order by l.at, l.id`),
      );
      return rows.map((row) => row.action);
    },
  };
}

export const code = (reply: Reply): [number, string | undefined] => [reply.status, reply.body?.error?.code];
export const expectSignedIn = (reply: Reply): void => {
  expect([reply.status, reply.body?.status ?? reply.text]).toEqual([200, 'signed_in']);
};
