import { below, type Db, result, type StoreName } from './db.ts';
import { type EventRow, isKnownFormat } from './rows.ts';

/** Paired events, in the order in which they were paired. A row that is none could not be opened and would keep the app from starting. */
export const allEvents = (db: Db): Promise<EventRow[]> =>
  db.run('events', 'readonly', async (store) =>
    (await result<unknown[]>(store('events').getAll())).filter(isEvent).sort((a, b) => a.paired_at - b.paired_at),
  );

export const getEvent = (db: Db, id: string): Promise<EventRow | null> =>
  db.run('events', 'readonly', async (store) => {
    const row = await result<unknown>(store('events').get(id));
    return isEvent(row) ? row : null;
  });

export function isEvent(row: unknown): row is EventRow {
  const { id, name, token, paired_at, point, event } = (row ?? {}) as Partial<Record<keyof EventRow, unknown>>;
  const { id: of, name: called, timezone } = (event ?? {}) as Partial<Record<keyof EventRow['event'], unknown>>;
  return (
    isKnownFormat(row) &&
    [id, name, token, of, called, timezone].every((one) => typeof one === 'string') &&
    (point === null || typeof point === 'string') &&
    Number.isFinite(paired_at)
  );
}

export const putEvent = (db: Db, row: EventRow): Promise<unknown> =>
  db.run('events', 'readwrite', (store) => result(store('events').put(row)));

const OF_DEVICE = ['rosters', 'packed', 'overlay', 'queue', 'own', 'kept', 'differences', 'last', 'hand_outs'] as const;

/** Removes the event and all that belongs to it, unless `unless` finds a reason not to, in the same transaction. */
export const deleteEvent = (db: Db, id: string, unless: (waiting: number) => boolean): Promise<boolean> =>
  db.run(['events', ...OF_DEVICE] as StoreName[], 'readwrite', async (store) => {
    const queue = await result(store('queue').count(below(id)));
    const kept = await result(store('kept').count(below(id)));
    const handOuts = await result(store('hand_outs').count(below(id)));
    if (unless(queue + kept + handOuts)) return false;
    for (const name of OF_DEVICE) store(name).delete(below(id));
    await result(store('events').delete(id));
    return true;
  });
