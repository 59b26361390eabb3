import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EventbriteDouble, type Trouble } from '../../../test/support/eventbrite-double.ts';
import { eventbrite } from './eventbrite.ts';
import type { Opening, PlatformReader, SourceOrder } from './platforms.ts';

let double: EventbriteDouble;
let waits: number[];
beforeEach(async () => {
  double = await EventbriteDouble.start();
  waits = [];
});
afterEach(async () => {
  expect(double.changes).toBe(0);
  await double.stop();
});

const patience = { timeoutMs: 500, tries: 5, waitMs: 900_000 };
function open(opening: Opening = {}, token = double.token): PlatformReader {
  const wait = async (ms: number) => void waits.push(ms);
  return eventbrite({ apiUrl: double.url, spacingMs: 0, wait, background: patience }).open(token, opening);
}
const pauses = () => waits.filter((ms) => ms > 0);

async function read(event: string, reader = open()): Promise<SourceOrder[]> {
  const orders: SourceOrder[] = [];
  for await (const page of reader.orders(event)) orders.push(...page.orders);
  return orders;
}

/** An event with the given number of orders, each with one attendee. */
function fair(orders: number) {
  const event = double.addEvent('Lakeside Fair', ['Adult', 'Child']);
  for (let i = 0; i < orders; i += 1) {
    double.addOrder(event, [
      { ticket_class: 'Adult', first_name: 'Ada', last_name: `No${i}`, email: `a${i}@example.org` },
    ]);
  }
  return event;
}

describe('what is read', () => {
  test('the account, all events of all its organizations, and the ticket classes of an event', async () => {
    double.organizations.push({ id: '7002', name: 'Hillside Events' });
    const [first] = Array.from({ length: 51 }, (_, i) => double.addEvent(`Fair ${i}`, ['Adult', 'Child']));
    double.addEvent('Hill Fair', [], { organization: '7002' });
    double.addEvent('Not ours', [], { organization: '8001' });
    const reader = open();
    expect(await reader.account()).toEqual({ id: '9001', name: 'Olga Owner', email: 'owner@example.org' });
    const events = await reader.events();
    expect(events.map((event) => event.name)).toEqual([
      ...Array.from({ length: 51 }, (_, i) => `Fair ${i}`),
      'Hill Fair',
    ]);
    expect(events[0]).toEqual(await reader.event(first!.id));
    expect(await reader.event(first!.id)).toEqual({
      id: first!.id,
      name: 'Fair 0',
      starts_at: '2026-12-01T09:00:00Z',
      currency: 'EUR',
      status: 'live',
    });
    expect(await reader.ticketClasses(first!.id)).toEqual([
      { id: first!.ticket_classes[0]!.id, name: 'Adult', sold: 0 },
      { id: first!.ticket_classes[1]!.id, name: 'Child', sold: 0 },
    ]);
  });

  test('an order with its attendees and all their details', async () => {
    const event = double.addEvent('Fair', ['Adult']);
    const order = double.addOrder(
      event,
      [
        {
          ticket_class: 'Adult',
          first_name: ' Ada ',
          last_name: 'Love\u0000lace',
          email: 'ada@example.org',
          cell_phone: '+49 30 901820',
          birth_date: '1990-12-10',
          answers: { Company: 'Engines Ltd', Diet: ' ' },
          gross: 1250,
        },
        { ticket_class: 'Adult' },
        { ticket_class: 'Adult', name: 'Jean Luc Picard', cancelled: true },
        { ticket_class: 'Adult', name: 'Cher', refunded: true },
      ],
      { first_name: 'Bea', last_name: 'Buyer', email: null },
    );
    const [adult] = event.ticket_classes;
    const nothing = {
      email: null,
      phone: null,
      date_of_birth: null,
      answers: [],
      paid: { currency: 'EUR', amount_minor: 0 },
    };
    const ids = double.attendees.map((one) => one.id);
    const ticket_class = adult!.id;
    expect(await read(event.id)).toEqual([
      {
        id: order.id,
        buyer: { first_name: 'Bea', last_name: 'Buyer', email: null },
        attendees: [
          {
            id: ids[0],
            ticket_class,
            first_name: 'Ada',
            last_name: 'Lovelace',
            email: 'ada@example.org',
            phone: '+49 30 901820',
            date_of_birth: '1990-12-10',
            answers: [{ question: 'Company', answer: 'Engines Ltd' }],
            paid: { currency: 'EUR', amount_minor: 1250 },
            gone: false,
          },
          { ...nothing, id: ids[1], ticket_class, first_name: '', last_name: '', gone: false },
          { ...nothing, id: ids[2], ticket_class, first_name: 'Jean Luc', last_name: 'Picard', gone: true },
          { ...nothing, id: ids[3], ticket_class, first_name: 'Cher', last_name: '', gone: true },
        ],
      },
    ]);
  });

  test('attendees of a cancelled or incomplete order are marked as gone', async () => {
    const event = double.addEvent('Fair', ['Adult']);
    for (const status of ['placed', 'refunded', 'cancelled', 'pending', 'deleted']) {
      double.addOrder(event, [{ ticket_class: 'Adult' }], { status });
    }
    const orders = await read(event.id);
    expect(orders.map((order) => order.attendees.map((person) => person.gone))).toEqual([
      [false],
      [true],
      [true],
      [true],
    ]);
  });

  test('what was paid, in currencies with and without hundredths', async () => {
    const paid = async (currency: string, gross: number) => {
      const event = double.addEvent('Fair', ['Adult'], { currency });
      double.addOrder(event, [{ ticket_class: 'Adult', gross }]);
      return (await read(event.id))[0]!.attendees[0]!.paid;
    };
    expect(await paid('EUR', 105)).toEqual({ currency: 'EUR', amount_minor: 105 });
    expect(await paid('JPY', 2500)).toEqual({ currency: 'JPY', amount_minor: 2500 });
  });

  test('if orders cannot be expanded, attendees are read separately', async () => {
    const event = fair(120);
    double.addAttendee(double.orders[7]!, { ticket_class: 'Child', first_name: 'Kit', last_name: 'No7' });
    const whole = await read(event.id);
    double.expansionFails = true;
    expect(await read(event.id)).toEqual(whole);
    expect(whole[7]!.attendees).toHaveLength(2);
    // After the first failure, the expansion is not asked for again.
    const expanding = double.requests.filter((request) => request.path.includes('expand'));
    expect(expanding).toHaveLength(2 * 3 + 1);
  });
});

describe('a list that changes while it is read', () => {
  const moving = (after: number, move: () => void) => {
    let pages = 0;
    double.afterEach = (path) => {
      if (path.includes('/orders/') && ++pages === after) move();
    };
  };
  const expectEach = (orders: SourceOrder[]) => {
    expect(orders.map((order) => order.id).toSorted()).toEqual(double.orders.map((order) => order.id).toSorted());
  };

  test('if it does not change, a single page is read once and several pages twice', async () => {
    expectEach(await read(fair(50).id));
    expect(double.requests).toHaveLength(1);
    double.orders = [];
    expectEach(await read(fair(120).id));
    expect(double.requests).toHaveLength(1 + 2 * 3);
  });

  test('a new order at the top moves another to the next page: none is given twice', async () => {
    const event = fair(120);
    moving(1, () => {
      double.addOrder(event, [{ ticket_class: 'Adult' }]);
      double.orders.unshift(double.orders.pop()!);
    });
    expectEach(await read(event.id));
  });

  test('a removed order lets another one be missed: the second pass finds it', async () => {
    const event = fair(120);
    moving(1, () => double.removeOrder(double.orders[3]!.id));
    const orders = await read(event.id);
    expect(orders).toHaveLength(120);
    expect(orders.map((order) => order.id)).toEqual(expect.arrayContaining(double.orders.map((order) => order.id)));
  });

  test('one order is removed and one added, so the count stays: the missed one is still found', async () => {
    const event = fair(120);
    moving(1, () => {
      double.removeOrder(double.orders[3]!.id);
      double.addOrder(event, [{ ticket_class: 'Adult' }]);
    });
    const orders = await read(event.id);
    expect(orders.map((order) => order.id)).toEqual(expect.arrayContaining(double.orders.map((order) => order.id)));
  });

  test('the next page no longer exists', async () => {
    const event = fair(51);
    moving(1, () => double.removeOrder(double.orders[0]!.id));
    expect(await read(event.id)).toHaveLength(51);
  });

  test('a list that breaks off every time is an error, not an end', async () => {
    const event = fair(51);
    const ends = { status: 400, error: 'BAD_CONTINUATION_TOKEN' };
    double.afterEach = () => {
      if (double.requests.length % 2 === 1) double.troubles.push(ends);
    };
    await expect(read(event.id)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

describe('when Eventbrite does not answer', () => {
  const ok = async (...troubles: Trouble[]) => {
    const event = fair(1);
    double.troubles = troubles;
    expect(await read(event.id)).toHaveLength(1);
  };

  test.each<Trouble>(['cut', 'hangs', 'no JSON', 'half an answer', { status: 503, body: 'Service Unavailable' }])(
    '%j: asked again, with growing pauses',
    async (trouble) => {
      await ok(trouble, trouble);
      expect(pauses()).toEqual([1000, 2000]);
    },
  );

  test('it gives up after five attempts, with an error that does not contain the token', async () => {
    const event = fair(1);
    double.troubles = Array(5).fill('cut');
    const failure = await read(event.id).catch((error) => error);
    expect(failure).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/Eventbrite gave no usable answer/),
    });
    expect(double.requests).toHaveLength(5);
    const { inspect } = await import('node:util');
    expect(inspect(failure, { depth: 20, showHidden: true })).not.toContain(double.token);
  });

  test('after each 429 it waits as long as it is asked to, however many there are', async () => {
    const limited = (retryAfter?: number | string): Trouble => ({
      status: 429,
      error: 'HIT_RATE_LIMIT',
      ...(retryAfter !== undefined && { retryAfter }),
    });
    await ok(...Array(12).fill(limited(30)), limited(0), limited());
    expect(pauses()).toEqual([...Array(12).fill(30_000), 1000, 60_000]);
  });

  test('if it is asked to wait too long, it gives up and says how long', async () => {
    const event = fair(1);
    double.troubles = [{ status: 429, error: 'HIT_RATE_LIMIT', retryAfter: 3600 }];
    await expect(read(event.id)).rejects.toMatchObject({
      kind: 'rate_limited',
      message: expect.stringContaining('60 min'),
    });
    expect(pauses()).toEqual([]);
  });

  test('it gives up soon if somebody is waiting at a screen', async () => {
    const event = fair(1);
    double.troubles = Array(9).fill('cut');
    await expect(open({ hurried: true }).event(event.id)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(double.requests).toHaveLength(2);
  });

  test.each([
    ['a token that is not known', { token: 'NOBODYS' }, 'token'],
    ['a token that is none', { token: 'two\nlines' }, 'token'],
    ['an event of somebody else', { event: 'theirs' }, 'token'],
    ['an event that is not there', { event: '1/../2?x=' }, 'not_found'],
  ])('%s', async (_name, { token, event = 'ours' }: { token?: string; event?: string }, kind) => {
    const ids: Record<string, string> = {
      ours: double.addEvent('Ours', []).id,
      theirs: double.addEvent('Theirs', [], { organization: '8001' }).id,
    };
    const asked = async () => open({}, token ?? double.token).event(ids[event] ?? event);
    await expect(asked()).rejects.toMatchObject({ kind });
    await expect(asked()).rejects.not.toThrow(token ?? double.token);
  });

  test('a token that is revoked midway', async () => {
    const event = fair(120);
    double.afterEach = () => {
      if (double.requests.length === 2) double.revoke();
    };
    const pages: number[] = [];
    const reading = async () => {
      for await (const page of open().orders(event.id)) pages.push(page.orders.length);
    };
    await expect(reading()).rejects.toMatchObject({
      kind: 'token',
      message: expect.stringMatching(/Connect the account again/),
    });
    expect(pages).toEqual([50, 50]);
  });

  test('a redirect is not followed, so the token goes nowhere else', async () => {
    const event = fair(1);
    double.troubles = [{ status: 302, body: '' }];
    await expect(open().event(event.id)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(double.requests).toHaveLength(1);
  });

  test('an aborted signal ends the waiting at once', async () => {
    const event = fair(1);
    const stop = new AbortController();
    double.troubles = ['hangs'];
    const asked = open({ signal: stop.signal }).event(event.id);
    stop.abort(new Error('stopped'));
    await expect(asked).rejects.toThrow('stopped');
  });
});
