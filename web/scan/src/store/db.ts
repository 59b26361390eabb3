/**
 * IndexedDB, as little of it as is needed. Scans are written with `durability: 'strict'`: the browser reports success only once the
 * system has been told to put the data on disk, so that a dead battery loses no scan.
 */

const NAME = 'turnout-scan';
const VERSION = 1;

/** Every store and the key of its rows. All but `events` and `values` belong to a paired event, which is the first part of the key. */
export const STORES = {
  /** Paired events. */
  events: 'id',
  /** Small values of the whole app, such as the clock. */
  values: 'name',
  /** Manifest and state of each roster, by mode. */
  rosters: ['device', 'mode'],
  /** The packed rosters, apart from their state because they are large. */
  packed: ['device', 'mode'],
  /** Changes of a roster since it was packed. */
  overlay: ['device', 'mode', 'key'],
  /** Scans that the server has not answered. */
  queue: ['device', 'client_uuid'],
  /** Admissions that the roster does not have yet. */
  own: ['device', 'mode', 'client_uuid', 'person'],
  /** Scans that the server did not record. */
  kept: ['device', 'client_uuid'],
  /** Scans that the server judged otherwise than the device had told. */
  differences: ['device', 'client_uuid'],
  /** The last scans, for the screen. */
  last: ['device', 'n'],
} as const;
export type StoreName = keyof typeof STORES;

export const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const finished = (tx: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    tx.oncomplete = () => resolve();
    tx.onabort = () => reject(tx.error ?? new DOMException('The transaction was aborted.', 'AbortError'));
  });

export const isFull = (error: unknown): boolean => (error as DOMException | null)?.name === 'QuotaExceededError';

/** All rows of a store whose key begins with these parts. */
export const below = (...parts: string[]): IDBKeyRange => IDBKeyRange.bound(parts, [...parts, []]);

export class Db {
  #opening: Promise<IDBDatabase> | null = null;
  #lost: () => void;
  #closed = false;

  /** `lost` is called when the browser closes the database by itself, which it does when the user or the system deletes the data. */
  constructor(lost: () => void = () => {}) {
    this.#lost = lost;
  }

  /** Runs `work` in one transaction. It may await nothing but requests of this transaction. */
  async run<T>(
    stores: StoreName | readonly StoreName[],
    mode: 'readonly' | 'readwrite',
    work: (store: (name: StoreName) => IDBObjectStore) => T | Promise<T>,
  ): Promise<T> {
    const tx = await this.#begin(stores, mode);
    const done = finished(tx);
    done.catch(() => {});
    try {
      const value = await work((name) => tx.objectStore(name));
      await done;
      return value;
    } catch (error) {
      try {
        tx.abort();
      } catch {
        // it has ended already
      }
      throw tx.error ?? error;
    }
  }

  close(): void {
    this.#closed = true;
    void this.#opening?.then(
      (db) => db.close(),
      () => {},
    );
    this.#opening = null;
  }

  async #begin(stores: StoreName | readonly StoreName[], mode: IDBTransactionMode): Promise<IDBTransaction> {
    const start = (db: IDBDatabase) => db.transaction(stores as string | string[], mode, { durability: 'strict' });
    try {
      return start(await this.#open());
    } catch (error) {
      // A connection that the browser has closed: open a new one.
      if ((error as DOMException).name !== 'InvalidStateError' || this.#closed) throw error;
      this.#opening = null;
      return start(await this.#open());
    }
  }

  #open(): Promise<IDBDatabase> {
    this.#opening ??= open((why) => {
      this.#opening = null;
      if (!this.#closed && why === 'lost') this.#lost();
    });
    this.#opening.catch(() => {
      this.#opening = null;
    });
    return this.#opening;
  }
}

function open(gone: (why: 'lost') => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(STORES)) {
        request.result.createObjectStore(name, { keyPath: keyPath as string | string[] });
      }
    };
    request.onsuccess = () => {
      const db = request.result;
      // Somebody deletes the database, or a newer version of this app wants to change it: it waits until we let go.
      db.onversionchange = () => {
        db.close();
        gone('lost');
      };
      db.onclose = () => gone('lost');
      resolve(db);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new DOMException('Another tab holds an older database.', 'InvalidStateError'));
  });
}
