import { Db, STORES, type StoreName } from './db.ts';

/**
 * A database in memory, for tests without a browser: it writes all of a transaction or nothing, one transaction after the other, and
 * fails when a test wants it to.
 */
export class MemoryDb extends Db {
  /** Whether a transaction that writes to these stores fails. */
  full: (stores: readonly StoreName[]) => boolean = () => false;
  readonly #rows = new Map<StoreName, Map<string, Row>>();
  #last: Promise<unknown> = Promise.resolve();

  wipe(): void {
    this.#rows.clear();
  }

  override run<T>(
    stores: StoreName | readonly StoreName[],
    mode: 'readonly' | 'readwrite',
    work: (store: (name: StoreName) => IDBObjectStore) => T | Promise<T>,
  ): Promise<T> {
    const turn = this.#last.then(async () => {
      const names = [stores].flat() as StoreName[];
      const copies = new Map(names.map((name) => [name, new Map(this.#rows.get(name))]));
      const value = await work(
        (name) => storeOf([STORES[name]].flat(), copies.get(name)!) as unknown as IDBObjectStore,
      );
      if (mode === 'readonly') return value;
      if (this.full(names)) throw new DOMException('There is no space left.', 'QuotaExceededError');
      for (const [name, rows] of copies) this.#rows.set(name, rows);
      return value;
    });
    this.#last = turn.catch(() => {});
    return turn;
  }
}

type Row = Readonly<Record<string, unknown>>;
type Key = string | number | readonly Key[];
interface Range {
  readonly from: Key;
  readonly to: Key;
}

/** What the stores need of the browser's IDBKeyRange. */
export const KeyRange = { bound: (from: Key, to: Key): Range => ({ from, to }) };

/** The order of IndexedDB: numbers, then texts, then lists. */
function compare(a: Key, b: Key): number {
  const rank = (key: Key) => ['number', 'string', 'object'].indexOf(typeof key);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a !== 'object') return a < b ? -1 : Number(a > b);
  const others = b as readonly Key[];
  const at = a.findIndex((part, i) => i >= others.length || compare(part, others[i]!) !== 0);
  return at < 0 ? a.length - others.length : at >= others.length ? 1 : compare(a[at]!, others[at]!);
}

function storeOf(keyPath: readonly string[], rows: Map<string, Row>) {
  const keyOf = (row: Row) => keyPath.map((part) => row[part] as Key);
  const has = (row: Row, wanted: Key | Range | undefined): boolean => {
    if (wanted === undefined) return true;
    if (typeof wanted !== 'object' || !('from' in wanted)) return compare(keyOf(row), [wanted].flat() as Key) === 0;
    return compare(wanted.from, keyOf(row)) <= 0 && compare(keyOf(row), wanted.to) <= 0;
  };
  const found = (wanted?: Key | Range) =>
    [...rows.values()].filter((row) => has(row, wanted)).sort((a, b) => compare(keyOf(a), keyOf(b)));
  return {
    get: (wanted: Key) => answered(structuredClone(found(wanted)[0])),
    getAll: (wanted?: Range) => answered(structuredClone(found(wanted))),
    count: (wanted: Range) => answered(found(wanted).length),
    put: (row: Row) => answered(void rows.set(JSON.stringify(keyOf(row)), structuredClone(row))),
    delete: (wanted: Key | Range) => {
      for (const [name, row] of rows) if (has(row, wanted)) rows.delete(name);
      return answered(undefined);
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
