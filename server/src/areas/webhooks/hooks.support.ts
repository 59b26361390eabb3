import type { EventType } from '@turnout/contract';
import { expect } from 'vitest';
import { Authority, answer, type Received, startReceiver } from '../../../../test/support/receivers.ts';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import type { Id } from '../../common/ids.ts';
import { Outbound } from '../../outside/https.ts';
import type { Occurrence } from '../../road/operation.ts';
import { writeOutbox } from '../../road/write/record.ts';
import { HeldClock } from '../scanning/fair.support.ts';

/** An organization whose webhooks go to a real TLS receiver on loopback, with a clock that the test moves. */
export interface Hooks {
  t: TestTurnout;
  clock: HeldClock;
  org: Id;
  key: string;
  receiver: {
    url: string;
    got: Received[];
    answer(status: number, body?: string): void;
    /** A client that reaches this receiver and nothing else. */
    outbound(): Outbound;
  };
  post(path: string, body?: unknown, as?: string): Promise<Reply>;
  get(path: string, as?: string): Promise<Reply>;
  endpoint(more?: object): Promise<{ id: string; secret: string }>;
  /** Raises `count` occurrences, as operations do, and fans them out. */
  occur(count?: number, more?: Partial<Occurrence>): Promise<void>;
  /** Sends until nothing is due. */
  deliver(): Promise<number>;
  health(id: string): Promise<{ status: string; failures_in_a_row: number; failing_since: string | null }>;
  deliveries(id: string, query?: string): Promise<Delivered[]>;
  stop(): Promise<void>;
}
export interface Delivered {
  id: string;
  envelope_id: string;
  type: EventType;
  status: string;
  attempts: number;
  next_attempt_at: string | null;
  last_attempt_at: string | null;
  last_status_code: number | null;
}

let serial = 0;

export async function startHooks(): Promise<Hooks> {
  const authority = await Authority.make();
  const listening = await startReceiver(await authority.issue(['hooks.example.org']));
  const receiver: Hooks['receiver'] = {
    url: listening.url('hooks.example.org'),
    got: listening.received,
    answer: (status, body = '') => {
      listening.behaviour = answer(status, body);
    },
    outbound: () =>
      new Outbound({
        ca: authority.pem,
        allowedNetworks: ['127.0.0.1/32'],
        resolve: async (host) => (host === 'hooks.example.org' ? [{ address: '127.0.0.1', family: 4 }] : []),
      }),
  };
  const clock = new HeldClock(Date.parse('2027-03-01T12:00:00Z'));
  const t = await startTest({ clock, webhooks: receiver.outbound() });
  const org = await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  const { secret: key } = await t.key('acme');
  const hooks: Hooks = {
    t,
    clock,
    org,
    key,
    receiver,
    post: (path, body, as = key) => t.call('POST', `/v1${path}`, { key: as, body }),
    get: (path, as = key) => t.call('GET', `/v1${path}`, { key: as }),
    endpoint: async (more = {}) => {
      const { status, body, text } = await hooks.post('/webhooks', { url: receiver.url, events: ['*'], ...more });
      if (status !== 201) throw new Error(text);
      return body;
    },
    occur: async (count = 1, more = {}) => {
      const made = Array.from({ length: count }, () => occurrence(more));
      await t.system(async (tx) => writeOutbox(tx, org, made));
      while ((await t.step.relay()) > 0);
    },
    deliver: async () => {
      let sent = 0;
      for (let some = await t.step.deliveries(); some > 0; some = await t.step.deliveries()) sent += some;
      return sent;
    },
    health: async (id) => {
      const { status, failures_in_a_row, failing_since } = (await hooks.get(`/webhooks/${id}`)).body;
      return { status, failures_in_a_row, failing_since };
    },
    deliveries: async (id, query = '') => {
      const { status, body } = await hooks.get(`/webhooks/${id}/deliveries?limit=200${query}`);
      expect(status).toBe(200);
      return body.data;
    },
    stop: async () => {
      await t.stop();
      await listening.stop();
    },
  };
  return hooks;
}

const occurrence = (more: Partial<Occurrence>): Occurrence => ({
  type: 'registration.created',
  event: null,
  group: null,
  livemode: true,
  data: { id: `n${++serial}`, name: 'Zoë 王小明' },
  ...more,
});
