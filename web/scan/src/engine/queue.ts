import { type Db, isFull } from '../store/db.ts';
import type { KeptRow, QueueRow } from '../store/rows.ts';
import { byTime, readNotRecorded, readQueue, type ScanChanges, writeScans } from '../store/scans.ts';
import type { Board } from './board.ts';

/**
 * The scans that the server has not answered. They are on disk; a copy in memory saves reading them again, and brings them back if the
 * storage is deleted while the app is open.
 */
export class Queue {
  readonly #db: Db;
  readonly #device: string;
  readonly #rows = new Map<string, QueueRow>();
  readonly #notRecorded = new Map<string, KeptRow>();
  /** Scans whose single question is still waited for; the uploader leaves them alone. */
  readonly asking = new Set<string>();
  #board: Board | null = null;

  private constructor(db: Db, device: string) {
    this.#db = db;
    this.#device = device;
  }

  static async open(db: Db, device: string): Promise<Queue> {
    const queue = new Queue(db, device);
    for (const row of await readQueue(db, device)) queue.#rows.set(row.client_uuid, row);
    for (const row of await readNotRecorded(db, device)) queue.#notRecorded.set(row.client_uuid, row);
    return queue;
  }

  show(board: Board): void {
    this.#board = board;
    board.notRecorded = this.#notRecorded.size;
  }

  /** Without those that are still asked one by one: most of them are answered within a moment. */
  get length(): number {
    let openQuestions = 0;
    for (const uuid of this.asking) if (this.#rows.has(uuid)) openQuestions += 1;
    return this.#rows.size - openQuestions;
  }

  has(client_uuid: string): boolean {
    return this.#rows.has(client_uuid);
  }

  /** Oldest first, without those that are still asked one by one. */
  waiting(): QueueRow[] {
    return [...this.#rows.values()].filter(({ client_uuid }) => !this.asking.has(client_uuid)).sort(byTime);
  }

  all(): QueueRow[] {
    return [...this.#rows.values()].sort(byTime);
  }

  notRecorded(): KeptRow[] {
    return [...this.#notRecorded.values()].sort(byTime);
  }

  /** Writes to disk, and only then to memory. Throws if the disk does not take it. */
  async write(changes: ScanChanges): Promise<void> {
    try {
      await writeScans(this.#db, this.#device, changes);
      this.#storage('ok');
    } catch (error) {
      if (isFull(error)) this.#storage('full');
      throw error;
    }
    this.#remember(changes);
  }

  /** The server has answered, so nothing is lost if the disk does not take this: the rows would only be sent again. */
  async settle(changes: ScanChanges): Promise<void> {
    try {
      await this.write(changes);
    } catch {
      this.#remember(changes);
    }
  }

  /** After the storage was deleted: everything that is in memory goes back to disk. */
  async rewrite(): Promise<void> {
    await writeScans(this.#db, this.#device, { queue: this.all(), kept: this.notRecorded() });
  }

  #remember({ queue = [], answered = [], kept = [] }: ScanChanges): void {
    for (const row of queue) this.#rows.set(row.client_uuid, row);
    for (const uuid of answered) this.#rows.delete(uuid);
    for (const row of kept) this.#notRecorded.set(row.client_uuid, row);
    if (this.#board === null) return;
    this.#board.notRecorded = this.#notRecorded.size;
    this.#board.changed();
  }

  #storage(state: 'ok' | 'full'): void {
    // That everything was deleted is said until the app is opened again.
    if (this.#board !== null && this.#board.storage !== 'wiped') this.#board.storage = state;
  }
}
