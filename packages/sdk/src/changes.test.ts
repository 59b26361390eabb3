import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Attendee, Batch } from './index.ts';
import { person, startWorld, type World } from './world.support.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.t.stop());

/** Registers several people in one commit, so that all of them changed at the same time. */
const registerTogether = (event: string, numbers: readonly number[]) =>
  world.turnout.registrations.create(event, { attendees: numbers.map(person), send_emails: false });

/** What a program stores: the people, and each version of them that it was given. */
class Store {
  readonly people = new Map<string, Attendee>();
  readonly versions: string[] = [];
  since: string | undefined;

  take({ items, since }: Batch<Attendee>): void {
    for (const item of items) {
      this.people.set(item.id, item);
      this.versions.push(`${item.id} ${item.updated_at}`);
    }
    this.since = since;
  }

  get repeated(): string[] {
    return this.versions.filter((one, i) => this.versions.indexOf(one) !== i);
  }
}

const asListed = async (event: string) =>
  new Map((await world.turnout.attendees.list(event).toArray()).map((one) => [one.id, one]));

test('a program that is killed after every batch loses nothing and gets nothing twice', async () => {
  const { turnout } = world;
  await world.fair('killed');
  for (const first of [0, 10, 20])
    await registerTogether(
      'killed',
      [0, 1, 2, 3, 4].map((i) => first + i),
    );
  const store = new Store();
  // A page ends within the people of a commit, so batches end between people that changed at the same time.
  for (let starts = 0; ; starts += 1) {
    let batches = 0;
    for await (const batch of turnout.attendees.changes('killed', { since: store.since, limit: 3 })) {
      expect(batch.items.length).toBeLessThanOrEqual(3);
      store.take(batch);
      batches += 1;
      break; // killed, and started again with what is stored
    }
    if (batches === 0) break;
    expect(starts).toBeLessThan(20);
    // People change while the program is down: one that it has seen, and one that it has not.
    if (starts === 1) {
      const all = await turnout.attendees.list('killed').toArray();
      await turnout.attendees.update('killed', all[0]!.id, { first_name: 'Seen' });
      await turnout.attendees.update('killed', all.at(-1)!.id, { first_name: 'Unseen' });
      await registerTogether('killed', [30, 31]);
    }
  }
  expect(store.people).toEqual(await asListed('killed'));
  expect(store.people.size).toBe(17);
  expect(store.repeated).toEqual([]);
  expect([...store.people.values()].filter(({ first_name }) => /seen/i.test(first_name)).length).toBe(2);
});

test('people change between the pages of one walk', async () => {
  const { turnout } = world;
  await world.fair('walked');
  await registerTogether('walked', [100, 101, 102, 103]);
  const store = new Store();
  let changed = 0;
  for await (const batch of turnout.attendees.changes('walked', { limit: 2 })) {
    store.take(batch);
    if (changed < 2) {
      await turnout.attendees.update('walked', batch.items[0]!.id, { first_name: `Change ${++changed}` });
    }
  }
  expect(store.people).toEqual(await asListed('walked'));
  expect(store.repeated).toEqual([]);
  expect(store.versions.length).toBe(4 + changed);
  // The next walk has what changed after the last page, and nothing else.
  const [first] = store.people.values();
  await turnout.attendees.update('walked', first!.id, { first_name: 'Afterwards' });
  const later: string[] = [];
  for await (const { items } of turnout.attendees.changes('walked', { since: store.since })) {
    later.push(...items.map((item) => `${item.id} ${item.first_name}`));
  }
  expect(later).toEqual([`${first!.id} Afterwards`]);
});

// claim: attendees-since
test('a time as the beginning includes what changed at that very time', async () => {
  const { turnout } = world;
  await world.fair('timed');
  await registerTogether('timed', [200, 201]);
  const { updated_at } = (await turnout.attendees.list('timed')).data[0]!;
  const store = new Store();
  for await (const batch of turnout.attendees.changes('timed', { since: updated_at })) store.take(batch);
  expect(store.versions.length).toBe(2);
  await expect(turnout.attendees.changes('timed', { since: 'yesterday' }).next()).rejects.toThrow(TypeError);
});

test('filters of the list apply, and other lists can be followed as well', async () => {
  const { turnout } = world;
  await world.fair('filtered');
  const [first] = (await registerTogether('filtered', [300, 301])).attendees;
  await turnout.attendees.cancel('filtered', first!.id);
  const cancelled = await turnout.attendees.changes('filtered', { status: 'cancelled' }).next();
  expect(cancelled.value?.items.map(({ id }) => id)).toEqual([first!.id]);
  const tickets = await turnout.tickets.changes('filtered').next();
  expect(tickets.value?.items.map(({ status }) => status).sort()).toEqual(['valid', 'voided']);
});

test('what was deleted comes as an id in `removed`, once', async () => {
  const { turnout } = world;
  await world.fair('removed');
  const { since } = (await turnout.days.changes('removed').next()).value!;
  const day = await turnout.days.create('removed', { name: 'Rain date', date: '2027-07-01' });
  await turnout.days.delete('removed', day.id);
  const batch = (await turnout.days.changes('removed', { since }).next()).value!;
  expect([batch.items, batch.removed]).toEqual([[], [day.id]]);
  expect((await turnout.days.changes('removed', { since: batch.since }).next()).done).toBe(true);
});

test('looks again and again until it is ended, while others write', async () => {
  const { turnout } = world;
  await world.fair('endless');
  const store = new Store();
  const end = new AbortController();
  const following = (async () => {
    const changes = turnout.attendees.changes('endless', { limit: 4 }, { every: 20, signal: end.signal });
    for await (const batch of changes) store.take(batch);
  })();
  await Promise.all(
    Array.from({ length: 4 }, async (_, writer) => {
      for (let i = 0; i < 5; i += 1) {
        const { attendees } = await registerTogether(
          'endless',
          [0, 1].map((one) => 1000 + writer * 100 + i * 10 + one),
        );
        await turnout.attendees.update('endless', attendees[0]!.id, { first_name: 'Changed' });
      }
    }),
  );
  const listed = await asListed('endless');
  await expect
    .poll(() => store.people.size === listed.size && same(store.people, listed), { timeout: 20_000 })
    .toBe(true);
  end.abort(new Error('enough'));
  await expect(following).rejects.toThrow('enough');
  expect(listed.size).toBe(40);
  expect(store.repeated).toEqual([]);
});

const same = (a: ReadonlyMap<string, Attendee>, b: ReadonlyMap<string, Attendee>): boolean =>
  [...b].every(([id, { updated_at }]) => a.get(id)?.updated_at === updated_at);
