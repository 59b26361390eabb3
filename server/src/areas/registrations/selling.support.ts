import { expect } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY } from '../../clock.ts';
import { iso } from '../../store/stamps.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
export type Row = any;

/** An organization with a key, and one new event after the other in which something is sold. */
export class Shop {
  readonly t: TestTurnout;
  readonly key: string;
  #events = 0;
  event = '';

  private constructor(t: TestTurnout, key: string) {
    this.t = t;
    this.key = key;
  }

  static async open(): Promise<Shop> {
    const t = await startTest();
    await t.org('acme');
    await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
    return new Shop(t, (await t.key('acme')).secret);
  }

  /** With the days `sat` and `sun`, and the types `adult` (100.00) and `child` (free). */
  async newEvent(more: object = {}): Promise<void> {
    this.#events += 1;
    this.event = `fair${this.#events}`;
    await this.call('POST', '/v1/events', { code: this.event, name: this.event, ...more });
    for (const [code, date] of [
      ['sat', '2040-06-02'],
      ['sun', '2040-06-03'],
    ]) {
      await this.make('days', { code, date });
    }
    await this.make('attendee-types', { code: 'adult', name: 'Adult', price_minor: 10_000 });
    await this.make('attendee-types', { code: 'child', name: 'Child' });
    await this.post('/publish');
  }

  async call(method: string, path: string, body?: object, status: number | null = null, key = this.key): Promise<Row> {
    const answer = await this.t.call(method, path, { key, ...(body && { body }) });
    if (status === null) expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    else expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    return answer.body;
  }
  get = (path: string): Promise<Row> => this.call('GET', `/v1/events/${this.event}${path}`);
  post = (path: string, body?: object, status: number | null = null): Promise<Row> =>
    this.call('POST', `/v1/events/${this.event}${path}`, body, status);
  patch = (path: string, body: object, status: number | null = null): Promise<Row> =>
    this.call('PATCH', `/v1/events/${this.event}${path}`, body, status);
  make = (parts: string, body: object): Promise<Row> => this.post(`/${parts}`, body);

  person = (more: object = {}): object => ({
    ...{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Byron', days: ['sat'] },
    ...more,
  });
  register = (attendees: readonly object[], more: object = {}, status: number | null = null): Promise<Row> =>
    this.post('/registrations', { attendees: attendees.map(this.person), ...more }, status);
  /** The code of the refusal, and what is said of it. */
  async refused(attendees: readonly object[], more: object, status: number): Promise<string> {
    const { error } = await this.register(attendees, more, status);
    return error.code;
  }

  inDays = (days: number): string => iso(new Date(this.t.clock.now().getTime() + days * DAY));
  pay = (id: string, amount_minor: number): Promise<Row> =>
    this.post(`/registrations/${id}/payments`, { amount_minor, method: 'cash' });
  /** How many units of a product, an option of it or a shared limit are taken. */
  async taken(): Promise<Record<string, number>> {
    const { products, quotas } = await this.get('/availability');
    return Object.fromEntries([
      ...products.flatMap(({ product, taken, options }: Row) => [
        [product, taken],
        ...options.map((one: Row) => [`${product}/${one.option}`, one.taken]),
      ]),
      ...quotas.map(({ quota, taken }: Row) => [quota, taken]),
    ]);
  }
}
