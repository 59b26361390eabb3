import { expect } from 'vitest';
import { leaf, lines, type Received, type Receiver } from '../../../../test/support/mail-receiver.ts';
import type { Reply, TestTurnout } from '../../../../test/support/turnout.ts';

export interface Guest {
  first_name: string;
  email?: string;
  last_name?: string;
  attendee_type?: string;
  days?: string[];
  group?: string;
}

/** An event with two days, two types and two groups, and its guests. */
export class Fair {
  readonly t: TestTurnout;
  readonly key: string;
  readonly code: string;

  private constructor(t: TestTurnout, key: string, code: string) {
    this.t = t;
    this.key = key;
    this.code = code;
  }

  static async open(t: TestTurnout, key: string, code: string, wanted: object = {}): Promise<Fair> {
    const fair = new Fair(t, key, code);
    const made = async (path: string, body: object) => {
      const reply = await t.call('POST', path, { key, body });
      expect(reply.status, reply.text).toBeLessThan(300);
    };
    await made('/v1/events', { code, name: `Fair ${code}`, venue: 'Boathouse', ...wanted });
    for (const [day, date] of [
      ['fri', '2099-05-01'],
      ['sat', '2099-05-02'],
    ]) {
      await made(`/v1/events/${code}/days`, { code: day, name: `The ${day}`, date });
    }
    for (const type of ['adult', 'child']) {
      await made(`/v1/events/${code}/attendee-types`, { code: type, name: type });
    }
    await made(`/v1/events/${code}/publish`, {});
    return fair;
  }

  call(method: string, path: string, body?: object, key = this.key): Promise<Reply> {
    return this.t.call(method, `/v1/events/${this.code}${path}`, { key, ...(body && { body }) });
  }

  /** Makes a registration without sending mails, and answers it. */
  async register(guests: readonly Guest[], wanted: object = {}, key = this.key) {
    const attendees = guests.map((guest) => ({ attendee_type: 'adult', last_name: 'Guest', days: ['fri'], ...guest }));
    const reply = await this.call('POST', '/registrations', { attendees, send_emails: false, ...wanted }, key);
    expect(reply.status, reply.text).toBe(201);
    return reply.body;
  }

  async draft(body: object, key = this.key): Promise<string> {
    const wanted = { subject: 'Hello {{first_name}}', text: 'Dear {{first_name}}', ...body };
    const reply = await this.call('POST', '/communications', wanted, key);
    expect(reply.status, reply.text).toBe(201);
    return reply.body.id;
  }

  act(id: string, action: string, body: object = {}, key = this.key): Promise<Reply> {
    return this.call('POST', `/communications/${id}/${action}`, body, key);
  }

  async get(id: string, key = this.key) {
    return (await this.call('GET', `/communications/${id}`, undefined, key)).body;
  }

  /** What became of each recipient's mail: `Ada: skipped, test`. */
  async fates(id: string, key = this.key): Promise<string[]> {
    const { body } = await this.call('GET', `/communications/${id}/recipients?limit=200`, undefined, key);
    return body.data
      .map((one: { first_name: string; status: string; reason: string | null }) =>
        [`${one.first_name}: ${one.status}`, ...(one.reason === null ? [] : [one.reason])].join(', '),
      )
      .sort();
  }

  /** Drafts and sends a communication, and runs everything in the background. */
  async send(body: object, key = this.key): Promise<string> {
    const id = await this.draft(body, key);
    const reply = await this.act(id, 'send', {}, key);
    expect(reply.status, reply.text).toBe(202);
    await this.background();
    return id;
  }

  async background(): Promise<void> {
    await this.t.step.jobs();
    while ((await this.t.step.mails()) > 0);
  }
}

/** Recipients and subjects of all mails, sorted: `ada@example.org: Hello Ada`. */
export const subjects = ({ received }: Receiver): string[] =>
  received.map(({ to, mail }) => `${to.join()}: ${mail.headers.get('subject')}`).sort();

export const textOf = ({ mail }: Received): string => lines(leaf(mail, 'text/plain').text);
export const htmlOf = ({ mail }: Received): string => lines(leaf(mail, 'text/html').text);
