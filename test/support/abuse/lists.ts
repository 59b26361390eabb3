import { randomUUID } from 'node:crypto';
import type { ReferenceKind } from '@turnout/contract';
import type { Operation } from '../../../server/src/road/operation.ts';
import type { Subject } from '../matrix/calls.ts';
import { DATE, type Made, register } from '../matrix/fixtures.ts';
import { HOME, type World } from '../matrix/world.ts';

/** The kind of object that a list shows, by the last part of its path. */
const KINDS: Record<string, ReferenceKind> = {
  groups: 'group',
  events: 'event',
  days: 'day',
  'attendee-types': 'attendee_type',
  products: 'product',
  quotas: 'quota',
  discounts: 'discount',
  questions: 'question',
  'check-in-points': 'check_in_point',
  registrations: 'registration',
  attendees: 'attendee',
  tickets: 'ticket',
  contacts: 'contact',
  checkins: 'check_in',
  'hand-outs': 'hand_out',
  communications: 'communication',
  webhooks: 'webhook_endpoint',
  jobs: 'job',
};

type Fill = (world: World, subject: Subject) => Promise<unknown>;

const twice = async (make: () => Promise<unknown>): Promise<void> => {
  await make();
  await make();
};

/** Lists whose objects are only made together with something else. */
const SPECIAL: Record<string, Fill> = {
  payments: async (world, { parents: { event, registration } }) => {
    // The list of one registration, or of the whole event.
    const { id } = registration ?? (await world.make('registration', HOME, { event: event! }));
    const body = { amount_minor: 100, method: 'cash' };
    await twice(() => world.tools(HOME).api('POST', `/events/${event!.id}/registrations/${id}/payments`, body));
  },
  deliveries: (world, { parents }) =>
    twice(() => world.tools(HOME).api('POST', `/webhooks/${parents.webhook_endpoint!.id}/test`, {})),
  'audit-log': (world) => twice(() => world.make('group', HOME)),
  // A scan whose offline result differs from the recorded one.
  reconciliation: async (world, { parents: { event } }) => {
    const tools = world.tools(HOME);
    const point = await tools.point(event!);
    const key = await world.key('home');
    await twice(async () => {
      const { attendees } = await register(tools, HOME, event!);
      const scan = { code: attendees[0]!.tickets[0]!.code, check_in_point: point.id, client_uuid: randomUUID() };
      const body = { scans: [{ ...scan, scanned_at: `${DATE}T12:00:00Z`, offline_result: 'rejected' }] };
      const reply = await world.t.call('POST', `/api/v1/events/${event!.id}/scan/batch`, { key, body });
      if (reply.status !== 200) throw new Error(reply.text);
    });
  },
  // Each message that an organizer sends is one of the mails about the person.
  messages: async (world, { parents: { event } }) => {
    const { api } = world.tools(HOME);
    await twice(async () => {
      const { id } = await api<Made>('POST', `/events/${event!.id}/communications`, {
        subject: 'Hello',
        text: 'Hello',
      });
      await api<Made>('POST', `/events/${event!.id}/communications/${id}/send`, {});
    });
    await world.t.step.jobs();
  },
  recipients: async (world, { parents: { event, communication } }) => {
    const tools = world.tools(HOME);
    await twice(() => register(tools, HOME, event!));
    await tools.api<Made>('POST', `/events/${event!.id}/communications/${communication!.id}/send`, {});
    await world.t.step.jobs();
  },
};

export const isPaged = (op: Operation): boolean =>
  'cursor' in ((op.query as { properties?: object } | undefined)?.properties ?? {});

/** Gives a list two rows, so that it has a second page and a cursor that leads to it. */
export async function fillList(world: World, op: Operation, subject: Subject): Promise<void> {
  const last = op.path.split('/').at(-1)!;
  const special = SPECIAL[last];
  if (special !== undefined) return void (await special(world, subject));
  const kind = KINDS[last];
  if (kind === undefined) {
    throw new Error(
      `${op.id} is a list that test/support/abuse/lists.ts does not know. Add the kind of object that it lists, so that its cursors can be forged.`,
    );
  }
  await twice(() => world.make(kind, HOME, subject.parents));
}
