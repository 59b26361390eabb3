import { type Db, isFull } from '../store/db.ts';
import { deleteHandOut, type HandOutRow, putHandOut, readHandOuts } from '../store/hand-outs.ts';
import type { Board } from './board.ts';
import { type CallRefusal, call, type Outcome } from './calls.ts';
import { EngineError, refusedBy, unanswered } from './errors.ts';
import { bodyOf, mergeUnits, type Tap, unitsOf } from './hand-out-units.ts';
import { readHandOut } from './shapes.ts';
import { eventPath, note, type SharedParts } from './shared-parts.ts';
import { CALL_TIMEOUT, HAND_OUT_MS } from './times.ts';
import type { BookedBy, ToHandOut } from './types.ts';

/**
 * What is given away at this device. A tap is on disk before it counts. While the server answers, it is asked at once: somebody else may
 * have given the last unit away. Otherwise the device decides, and the tap goes up later with `offline: true`, because the unit is gone.
 *
 *   waiting    on disk; sent by itself, or with the next turn of the background
 *   answered   off the disk; remembered until the app is closed, so that it can be taken back on this screen
 *   undone     never sent: forgotten. Sent without an answer: stays on disk, is sent again and then taken back
 */
export class HandOuts {
  readonly #db: Db;
  readonly #device: string;
  readonly #taps = new Map<string, Tap>();
  /** Taps whose question is still waited for; the background leaves them alone. */
  readonly #asking = new Set<string>();
  /** Those that the server refuses to record stay on disk, and are tried again when the app is opened. */
  readonly #refused = new Set<string>();
  #notBefore = 0;

  private constructor(db: Db, device: string) {
    this.#db = db;
    this.#device = device;
  }

  static async open(db: Db, device: string): Promise<HandOuts> {
    const all = new HandOuts(db, device);
    for (const row of await readHandOuts(db, device))
      all.#taps.set(row.client_uuid, { row, answer: null, undoneAt: null });
    return all;
  }

  /** How many the server has not recorded. */
  get length(): number {
    return this.#waiting().length;
  }

  dueAt(): number | null {
    return this.#waiting().some((row) => this.#isDue(row)) ? this.#notBefore : null;
  }

  /** What these people have booked and not got yet, with what was handed out to them here. */
  async of({ board, roster }: SharedParts, people: readonly BookedBy[]): Promise<ToHandOut[]> {
    const as_of = board.roster?.as_of ?? '';
    const all: ToHandOut[] = [];
    for (const { ticket, person } of people) {
      if (ticket === null) continue;
      const { entry } = await roster.look({ key: ticket });
      const found = entry?.people.find(({ id }) => id === person);
      if (entry === null || found === undefined) continue;
      all.push(...unitsOf(entry.registration, found, [...this.#taps.values()], as_of));
    }
    return mergeUnits(all);
  }

  async handOut(parts: SharedParts, unit: ToHandOut, point: string): Promise<void> {
    const { board, clock } = parts;
    if (!board.scanning) throw new EngineError('stopped', 'Scanning is stopped.');
    const asks = board.link.connection === 'online';
    const row: HandOutRow = {
      ...{ device: this.#device, client_uuid: crypto.randomUUID(), at: clock.now(), point },
      ...(unit.attendee !== null ? { attendee: unit.attendee } : { registration: unit.registration! }),
      ...{ product: unit.product, option: unit.option, offline: !asks, sent: asks },
    };
    this.#asking.add(row.client_uuid);
    try {
      await this.#write(board, { row, answer: null, undoneAt: null, unit });
      if (!asks) return;
      const outcome = await this.#send(parts, row, HAND_OUT_MS);
      if (outcome.kind === 'refused') {
        await this.#forget(board, row);
        throw refusedBy(outcome.refusal);
      }
      // No answer: the person has it all the same.
      if (outcome.kind !== 'answer')
        await this.#write(board, { ...this.#taps.get(row.client_uuid)!, row: { ...row, offline: true } });
    } finally {
      this.#asking.delete(row.client_uuid);
      board.changed();
    }
  }

  /** Takes back what was handed out here. The server allows it for a few minutes; later, a member has to. */
  async undo(parts: SharedParts, client_uuid: string, reason: string): Promise<void> {
    const tap = this.#taps.get(client_uuid);
    if (tap === undefined || this.#asking.has(client_uuid)) return;
    if (tap.answer === null) {
      if (!tap.row.sent) await this.#forget(parts.board, tap.row);
      else await this.#write(parts.board, { ...tap, row: { ...tap.row, undone: reason } });
    } else {
      const outcome = await this.#sendUndo(parts, tap.answer.id, reason);
      if (outcome.kind === 'refused') throw refusedBy(outcome.refusal);
      if (outcome.kind !== 'answer') throw unanswered();
      this.#taps.set(client_uuid, { ...tap, undoneAt: outcome.body.updated_at });
    }
    parts.board.changed();
  }

  /** Sends the oldest that waits. */
  async upload(parts: SharedParts): Promise<void> {
    const row = this.#waiting().find((one) => this.#isDue(one));
    if (row === undefined) return;
    this.#asking.add(row.client_uuid);
    try {
      const outcome = await this.#send(parts, row, CALL_TIMEOUT);
      if (outcome.kind === 'refused') this.#refusedNow(parts, row, outcome.refusal);
      else if (outcome.kind === 'answer' && row.undone !== undefined)
        await this.#sendUndo(parts, outcome.body.id, row.undone);
    } finally {
      this.#asking.delete(row.client_uuid);
      parts.board.changed();
    }
  }

  /** After the storage was deleted: what is in memory goes back to disk. */
  async rewrite(): Promise<void> {
    for (const row of this.#waiting()) await putHandOut(this.#db, row);
  }

  #waiting(): HandOutRow[] {
    return [...this.#taps.values()].flatMap(({ row, answer }) => (answer === null ? [row] : []));
  }

  #isDue({ client_uuid }: HandOutRow): boolean {
    return !this.#asking.has(client_uuid) && !this.#refused.has(client_uuid);
  }

  #refusedNow({ board, clock }: SharedParts, { client_uuid }: HandOutRow, refusal: CallRefusal): void {
    if (refusal.status === 429) this.#notBefore = clock.steady() + (refusal.retryAfter ?? 1) * 1000;
    else if (board.scanning) this.#refused.add(client_uuid);
  }

  async #send(parts: SharedParts, row: HandOutRow, timeout: number) {
    const { attendee, registration, product, option, client_uuid, point, at, offline } = row;
    const body = bodyOf({ attendee, registration, product, option, client_uuid, point, at, offline });
    const outcome = await this.#post(parts, '', body, timeout);
    if (outcome.kind === 'answer') {
      const tap = this.#taps.get(client_uuid)!;
      this.#taps.set(client_uuid, { ...tap, answer: outcome.body });
      // The server knows it, so nothing is lost if the disk does not take this: it would only be sent again.
      if (row.undone === undefined) await deleteHandOut(this.#db, row).catch(() => {});
    }
    return outcome;
  }

  async #sendUndo(parts: SharedParts, id: string, reason: string) {
    const outcome = await this.#post(
      parts,
      `/${encodeURIComponent(id)}/undo`,
      JSON.stringify({ reason }),
      CALL_TIMEOUT,
    );
    const tap = [...this.#taps.values()].find(({ answer }) => answer?.id === id);
    // A refusal says that it was taken back already, or that a member has to do it: nothing that this device could try again.
    if (tap !== undefined && tap.row.undone !== undefined && outcome.kind !== 'none') {
      this.#taps.set(tap.row.client_uuid, {
        ...tap,
        undoneAt: outcome.kind === 'answer' ? outcome.body.updated_at : null,
      });
      await deleteHandOut(this.#db, tap.row).catch(() => {});
    } else if (tap !== undefined && tap.row.undone !== undefined) {
      this.#taps.set(tap.row.client_uuid, { ...tap, answer: null });
    }
    return outcome;
  }

  async #post(parts: SharedParts, path: string, body: string, timeout: number): Promise<Outcome<HandedOut>> {
    const outcome = await call({
      ...({ method: 'POST', path: `${eventPath(parts)}/hand-outs${path}`, token: parts.event.token } as const),
      ...{ body, key: crypto.randomUUID(), timeout, read: readHandOut },
    });
    note(parts.board, outcome, 'thing');
    return outcome;
  }

  async #write(board: Board, tap: Tap): Promise<void> {
    try {
      await putHandOut(this.#db, tap.row);
    } catch (error) {
      if (isFull(error) && board.storage !== 'wiped') board.storage = 'full';
      throw new EngineError('storage', 'This cannot be kept on this device.');
    }
    this.#taps.set(tap.row.client_uuid, tap);
  }

  async #forget(board: Board, row: HandOutRow): Promise<void> {
    this.#taps.delete(row.client_uuid);
    await deleteHandOut(this.#db, row).catch(() => {});
    board.changed();
  }
}

type HandedOut = NonNullable<ReturnType<typeof readHandOut>>;
