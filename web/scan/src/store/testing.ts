import { Db, type StoreName } from './db.ts';

/** A database in memory, for tests without a browser: it writes all of a transaction or nothing, and fails when a test wants it to. */
export class MemoryDb extends Db {
  /** Whether a transaction that writes to these stores fails. */
  full: (stores: readonly StoreName[]) => boolean = () => false;
  readonly #rows = new Map<StoreName, Map<string, Row>>();

  wipe(): void {
    this.#rows.clear();
  }

  override async run<T>(
    stores: StoreName | readonly StoreName[],
    mode: 'readonly' | 'readwrite',
    work: (store: (name: StoreName) => IDBObjectStore) => T | Promise<T>,
  ): Promise<T> {
    const names = [stores].flat() as StoreName[];
    const copies = new Map(names.map((name) => [name, new Map(this.#rows.get(name))]));
    const value = await work((name) => storeOf(KEYS[name]!, copies.get(name)!) as unknown as IDBObjectStore);
    if (mode === 'readonly') return value;
    if (this.full(names)) throw new DOMException('There is no space left.', 'QuotaExceededError');
    for (const [name, rows] of copies) this.#rows.set(name, rows);
    return value;
  }
}

/** What `below` needs of the browser: keys that begin with these parts. */
export const KeyRange = { bound: (parts: readonly string[]) => ({ parts }) };

type Row = Readonly<Record<string, unknown>>;
type Key = readonly unknown[] | { readonly parts: readonly string[] };

/** Of the stores that hold rosters. */
const KEYS: Partial<Record<StoreName, readonly string[]>> = {
  rosters: ['device', 'mode'],
  packed: ['device', 'mode'],
  overlay: ['device', 'mode', 'key'],
  own: ['device', 'mode', 'client_uuid', 'person'],
};

function storeOf(keyPath: readonly string[], rows: Map<string, Row>) {
  const has = (row: Row, key: Key) => ('parts' in key ? key.parts : key).every((part, i) => row[keyPath[i]!] === part);
  const found = (key: Key) => [...rows.values()].filter((row) => has(row, key));
  return {
    get: (key: Key) => answered(found(key)[0]),
    getAll: (key: Key) => answered(found(key)),
    put: (row: Row) => rows.set(JSON.stringify(keyPath.map((part) => row[part])), structuredClone(row)),
    delete: (key: Key) => {
      for (const [name, row] of rows) if (has(row, key)) rows.delete(name);
    },
  };
}

/** A request that succeeds as soon as somebody listens. */
const answered = <T>(result: T) => ({
  result,
  set onsuccess(listen: () => void) {
    queueMicrotask(listen);
  },
});
