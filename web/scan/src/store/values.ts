import { type Db, result } from './db.ts';

/** Small values of the whole app. */
export const getValue = <T>(db: Db, name: string): Promise<T | null> =>
  db.run('values', 'readonly', async (store) => {
    const row = await result<{ value: T } | undefined>(store('values').get(name));
    return row?.value ?? null;
  });

export const putValue = (db: Db, name: string, value: unknown): Promise<unknown> =>
  db.run('values', 'readwrite', (store) => result(store('values').put({ name, value })));
