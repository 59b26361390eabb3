/**
 * IndexedDB, as little of it as is needed. Scans are written with `durability: 'strict'`: the browser reports success only once the
 * system has been told to put the data on disk, so that a dead battery loses no scan.
 */

const NAME = 'turnout-scan';

/** Every store and the key of its rows. All but `events` and `values` belong to a paired event, which is the first part of the key. */
const STORES_OF_VERSION_1 = {
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
const STORES_OF_VERSION_2 = {
  /** Units that were handed out and that the server has not answered. */
  hand_outs: ['device', 'client_uuid'],
} as const;
/** Those of version 1, and beside them what later versions create. */
export const STORES = { ...STORES_OF_VERSION_1, ...STORES_OF_VERSION_2 };
export type StoreName = keyof typeof STORES;

/** Changes the database of one version into the next, in the transaction in which the browser opens it: wholly, or not at all. */
export type Upgrade = (db: IDBDatabase, tx: IDBTransaction) => void;

/**
 * From nothing to version 1, from there to version 2, and so on: the version of the database is their number. One that devices have gone
 * through never changes. A later one creates its own stores and may rewrite rows, but removes no store and changes no key: a device that
 * goes back to an earlier version of the app opens the database as it is, because scans may wait in it.
 */
export const UPGRADES: readonly Upgrade[] = [
  (db) => create(db, STORES_OF_VERSION_1),
  (db) => create(db, STORES_OF_VERSION_2),
];

function create(db: IDBDatabase, stores: Readonly<Record<string, string | readonly string[]>>): void {
  for (const [name, keyPath] of Object.entries(stores)) {
    db.createObjectStore(name, { keyPath: keyPath as string | string[] });
  }
}

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
  readonly #upgrades: readonly Upgrade[];

  /** `lost` is called when the browser closes the database by itself, which it does when the user or the system deletes the data. */
  constructor(lost: () => void = () => {}, upgrades = UPGRADES) {
    this.#lost = lost;
    this.#upgrades = upgrades;
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
    this.#opening ??= open(this.#upgrades, (why) => {
      this.#opening = null;
      if (!this.#closed && why === 'deleted') this.#lost();
    });
    this.#opening.catch(() => {
      this.#opening = null;
    });
    return this.#opening;
  }
}

type Closed = (why: 'deleted' | 'upgraded') => void;

async function open(upgrades: readonly Upgrade[], closed: Closed): Promise<IDBDatabase> {
  try {
    return await openVersion(upgrades.length, upgrades, closed);
  } catch (error) {
    // A later version of the app has been on this device. Its stores are those of this version and perhaps more.
    if ((error as DOMException).name !== 'VersionError') throw error;
    return openVersion(undefined, upgrades, closed);
  }
}

/** Without a version, it opens the database as it is. Another tab that has an older one open lets go of it by itself (`versionchange`). */
function openVersion(version: number | undefined, upgrades: readonly Upgrade[], closed: Closed): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, version);
    request.onupgradeneeded = ({ oldVersion }) => {
      const tx = request.transaction!;
      // It was deleted between the two tries to open it. Without stores it would be of no use for ever.
      if (version === undefined) return tx.abort();
      for (const upgrade of upgrades.slice(oldVersion)) upgrade(request.result, tx);
    };
    request.onsuccess = () => {
      const db = request.result;
      // Somebody deletes the database, or a newer version of this app wants to change it: it waits until we let go.
      db.onversionchange = ({ newVersion }) => {
        db.close();
        closed(newVersion === null ? 'deleted' : 'upgraded');
      };
      db.onclose = () => closed('deleted');
      resolve(db);
    };
    request.onerror = () => reject(request.error);
  });
}
