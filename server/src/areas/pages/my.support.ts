import { expect } from 'vitest';
import type { Reply, TestTurnout } from '../../../../test/support/turnout.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { Secrets } from '../../common/secrets.ts';
import type { OutgoingMail } from '../../outside/mail.ts';
import { Links, type Way } from '../../road/for-areas/links.ts';
import { sql } from '../../store/sql.ts';

/** A page as somebody without JavaScript sees it. */
export interface SeenPage {
  status: number;
  html: string;
  /** Its words, without markup. */
  text: string;
  headers: Headers;
}

export const textIn = (html: string): string =>
  html
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

/** The values of a form on a page, by the names of its fields, as a browser would send them. */
export function formIn(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  const form = /<form[\s\S]*?<\/form>/.exec(html)?.[0] ?? '';
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1];
    const isBox = /type="(checkbox|radio)"/.test(tag);
    if (name !== undefined && (!isBox || / checked/.test(tag)))
      fields[name] = textIn(/value="([^"]*)"/.exec(tag)?.[1] ?? '');
  }
  for (const [, name, value] of form.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>\n([\s\S]*?)<\/textarea>/g)) {
    fields[name!] = value!;
  }
  for (const [, name, options] of form.matchAll(/<select[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)) {
    fields[name!] = /value="([^"]*)" selected/.exec(options!)?.[1] ?? '';
  }
  return fields;
}

/** The registration pages of one test server. */
export class Pages {
  readonly t: TestTurnout;
  readonly sent: OutgoingMail[];
  readonly links: Links;
  readonly #keys = new Map<string, string>();
  constructor(t: TestTurnout, sent: OutgoingMail[]) {
    this.t = t;
    this.sent = sent;
    this.links = new Links(new Secrets(Buffer.alloc(32, 7)), t.clock, t.url);
  }

  async api(
    method: string,
    path: string,
    body?: unknown,
    org = 'acme',
    mode: 'live' | 'test' = 'live',
  ): Promise<Reply> {
    const name = `${org} ${mode}`;
    const key = this.#keys.get(name) ?? (await this.t.key(org, { mode })).secret;
    this.#keys.set(name, key);
    const reply = await this.t.call(method, `/v1${path}`, { key, ...(body !== undefined && { body }) });
    return reply;
  }

  async made(path: string, body: unknown, org = 'acme', mode: 'live' | 'test' = 'live') {
    const reply = await this.api('POST', path, body, org, mode);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  }

  /** A published event with one day, a type and the given settings. */
  async event(code: string, settings: object = {}, price = 0, org = 'acme'): Promise<void> {
    await this.made('/events', { code, name: `Fair ${code}`, venue: 'Boathouse', ...settings }, org);
    await this.made(`/events/${code}/days`, { code: 'd1', name: 'Opening day', date: '2055-12-01' }, org);
    await this.made(`/events/${code}/attendee-types`, { code: 'adult', name: 'Adult', price_minor: price }, org);
    await this.made(`/events/${code}/publish`, {}, org);
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<SeenPage> {
    return seen(await fetch(this.t.url + path, { headers, redirect: 'manual' }));
  }

  async post(
    path: string,
    fields: Record<string, string | string[]>,
    headers: Record<string, string> = {},
  ): Promise<SeenPage> {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one);
    return seen(await fetch(this.t.url + path, { method: 'POST', body, headers, redirect: 'manual' }));
  }

  /** Opens a form and sends it with these values in place of what stands in it. */
  async send(path: string, fields: Record<string, string | string[]> = {}): Promise<SeenPage> {
    const form = await this.get(path);
    expect(form.status, form.text).toBe(200);
    return this.post(path, { ...formIn(form.html), ...fields });
  }

  /** The path of the link to a registration, or to the place of one of its attendees. */
  link(
    registration: { id: string; contact: { email: string } },
    attendee?: { id: string; email: string },
    org = 'acme',
    way: Way = 'mailed',
  ): Promise<string> {
    return this.t.system(async (tx) => {
      const row = await tx.one<{ id: Id }>(sql`select id from organizations where code = ${org}`);
      const opens = {
        org: row.id,
        registration: toUuid(registration.id),
        attendee: attendee === undefined ? null : toUuid(attendee.id),
        email: attendee?.email ?? registration.contact.email,
      };
      const token = this.links.manageToken(opens, way);
      return `/o/${org}/my/${token}`;
    });
  }

  async mails(): Promise<OutgoingMail[]> {
    while ((await this.t.step.mails()) > 0);
    return this.sent.splice(0);
  }

  /** The entries of an action in the audit log, of one object if it is named. */
  audit(action: string, object: Id | null = null) {
    return this.t.system((tx) =>
      tx.all<{ actor_kind: string; actor_id: Id; actor_name: string; source: string; object_id: Id }>(sql`
        select actor_kind, actor_id, actor_name, source, object_id from audit_log
        where action = ${action} and (${object}::uuid is null or object_id = ${object}) order by id`),
    );
  }
}

async function seen(response: Response): Promise<SeenPage> {
  const html = await response.text();
  return { status: response.status, html, text: textIn(html), headers: response.headers };
}
