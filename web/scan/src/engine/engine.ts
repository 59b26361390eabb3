import { startRoster } from '../roster/client.ts';
import { Db } from '../store/db.ts';
import { getEvent, putEvent } from '../store/events.ts';
import type { EventRow, Mode } from '../store/rows.ts';
import { deleteDifference, readDifferences, readLast } from '../store/scans.ts';
import { getValue, putValue } from '../store/values.ts';
import { Background } from './background.ts';
import { Board } from './board.ts';
import { browserTime, type Clock, type DeviceTime, ServerClock } from './clock.ts';
import { EngineError } from './errors.ts';
import { foundIn } from './found.ts';
import { HandOuts } from './hand-outs.ts';
import { handOverOf } from './hand-over.ts';
import { Heartbeat } from './heartbeat.ts';
import { requireLock } from './lock.ts';
import { Members } from './members.ts';
import { mark, pairedOf } from './pairing.ts';
import type { Parts } from './parts.ts';
import { Queue } from './queue.ts';
import { Scanner, type ScanOptions } from './scan.ts';
import { watch } from './surroundings.ts';
import { Sync } from './sync.ts';
import type {
  BookedBy,
  Disagreement,
  Engine,
  LastScan,
  PairedEvent,
  PeopleQuestion,
  ScanAnswer,
  ScanTarget,
  SearchResult,
  ToHandOut,
} from './types.ts';
import { Uploader } from './uploader.ts';

export interface OpenOptions {
  /** Closes the engine. */
  readonly signal?: AbortSignal;
  /** How long the server is waited for, for tests on slow machines. */
  readonly answerMs?: number;
  /** The time of the device, for tests that move it. */
  readonly time?: DeviceTime;
}

const MAX_RESULTS = 50;
/** How often it is tried to write everything again after it was deleted, over ten seconds. */
const REWRITES = 7;

/** Opens a paired event. Throws an EngineError: `insecure`, `other_tab` or `not_paired`. */
export async function openEngine(id: string, options: OpenOptions = {}): Promise<Engine> {
  if (!isSecureContext) throw new EngineError('insecure', 'Scanning needs https.');
  const engine = new OpenEngine(options);
  await engine.open(id);
  options.signal?.addEventListener('abort', () => engine.close());
  return engine;
}

class OpenEngine implements Engine {
  readonly #options: OpenOptions;
  readonly #time: DeviceTime;
  readonly #db: Db;
  readonly #stops: (() => void)[] = [];
  readonly #disagreements = new Set<(one: Disagreement) => void>();
  #closed = false;
  #switching: Promise<unknown> = Promise.resolve();
  #parts!: Parts;
  #background!: Background;
  #sync!: Sync;
  #scanner!: Scanner;
  #members!: Members;

  constructor(options: OpenOptions) {
    this.#options = options;
    this.#time = options.time ?? browserTime;
    this.#db = new Db(() => void this.#wiped());
  }

  async open(id: string): Promise<void> {
    try {
      this.#stops.push(await requireLock(() => this.#takenAway()));
      const event = await getEvent(this.#db, id);
      if (event === null) throw new EngineError('not_paired', 'This event is not on this device.');
      await this.#start(event);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  async #start(event: EventRow): Promise<void> {
    // The worker reads the roster while the rest is read here: that is most of the time until the first scan.
    let board: Board | null = null;
    const roster = startRoster((done) => {
      if (board?.loading != null) board.loading = { ...board.loading, done };
      board?.changed();
    });
    this.#stops.push(() => roster.close());
    const opening = roster.open({ device: event.id, token: event.token, mode: 'live' });
    const [clock, queue, handOuts, [newest]] = await Promise.all([
      this.#serverClock(),
      Queue.open(this.#db, event.id),
      HandOuts.open(this.#db, event.id),
      readLast(this.#db, event.id),
    ]);
    board = new Board(clock, () => queue.length + handOuts.length);
    queue.show(board);
    let n = [...queue.all(), ...queue.notRecorded()].reduce((most, row) => Math.max(most, row.n), newest?.n ?? 0);
    const next = () => {
      n += 1;
      return n;
    };
    const disagreed = (one: Disagreement) => {
      for (const listener of this.#disagreements) listener(one);
    };
    const { alarm } = this.#time;
    const parts: Parts = {
      event,
      db: this.#db,
      clock,
      alarm,
      board,
      queue,
      handOuts,
      roster,
      next,
      mode: 'live',
      disagreed,
    };
    this.#parts = parts;
    this.#sync = new Sync(parts);
    this.#members = new Members(parts);
    this.#background = new Background(parts, new Uploader(parts), this.#sync, new Heartbeat(parts));
    this.#scanner = new Scanner(parts, () => this.#background.soon(), this.#options.answerMs);
    board.roster = await opening;
    this.#stops.push(() => this.#background.stop(), ...watch(parts, () => this.#background.now()));
    this.#stops.push(board.listen(() => this.#background.wake()));
    this.#background.start();
    void mark().catch(() => {});
  }

  async #serverClock(): Promise<Clock> {
    const offset = await getValue<unknown>(this.#db, 'clock');
    const clock = new ServerClock(this.#time, Number.isFinite(offset) ? (offset as number) : null, {
      keep: (kept) => void putValue(this.#db, 'clock', kept).catch(() => {}),
      // It may jump before the rest has started, which asks for the time anyway.
      jumped: () => this.#background?.now(),
    });
    const hidden = () => clock.hidden();
    document.addEventListener('visibilitychange', hidden);
    this.#stops.push(() => document.removeEventListener('visibilitychange', hidden));
    return clock;
  }

  get paired(): PairedEvent {
    return pairedOf(this.#parts.event);
  }

  manifest() {
    return this.#parts.board.manifest;
  }

  status() {
    return this.#parts.board.status();
  }

  listen(listener: () => void): () => void {
    return this.#parts.board.listen(listener);
  }

  onDisagreement(listener: (one: Disagreement) => void): () => void {
    this.#disagreements.add(listener);
    return () => this.#disagreements.delete(listener);
  }

  async scan(target: ScanTarget, options: ScanOptions): Promise<ScanAnswer | PeopleQuestion> {
    if (this.#closed) throw new EngineError('stopped', 'The engine is closed.');
    await this.testMode(options.test);
    return this.#scanner.scan(target, { ...options, test: options.test && !this.#inTestEvent() });
  }

  async search(text: string): Promise<{ people: readonly SearchResult[]; count: number }> {
    const { clock, event, roster } = this.#parts;
    const standing = { point: event.point, at: clock.now() };
    const { people, count } = await roster.search({ text, most: MAX_RESULTS, ...standing });
    const manifest = this.manifest();
    return { people: people.map((one) => foundIn(manifest, one)), count };
  }

  attendance(day: string) {
    const { clock, roster } = this.#parts;
    return roster.attendance({ day, now: clock.now() });
  }

  async attendanceList(part: Parameters<Engine['attendanceList']>[0]) {
    const { clock, roster } = this.#parts;
    const { people, count } = await roster.attendanceList({ ...part, now: clock.now() });
    const manifest = this.manifest();
    return { people: people.map(({ last, ...one }) => foundIn(manifest, { ...one, inside: last })), count };
  }

  async lastScans(): Promise<readonly LastScan[]> {
    const rows = await readLast(this.#db, this.#parts.event.id);
    const { queue } = this.#parts;
    const refused = new Set(queue.notRecorded().map(({ client_uuid }) => client_uuid));
    return rows.map(({ told: answer }) => ({
      told: refused.has(answer.client_uuid) ? { ...answer, notRecorded: true } : answer,
      sent: !queue.has(answer.client_uuid),
    }));
  }

  async counts(point: string) {
    const { clock, roster } = this.#parts;
    return (await roster.counts({ point, now: clock.now() })) ?? { point: 0, event: 0, inside: null };
  }

  async notRecorded() {
    return this.#parts.queue.notRecorded().map(({ client_uuid, scanned_at, point, offline_result, error }) => ({
      client_uuid,
      scanned_at,
      point,
      told: offline_result ?? null,
      ...error,
    }));
  }

  async disagreements(): Promise<readonly Disagreement[]> {
    return (await readDifferences(this.#db, this.#parts.event.id)).map(({ device: _, ...one }) => one);
  }

  async disagreementSeen(client_uuid: string): Promise<void> {
    await deleteDifference(this.#db, this.#parts.event.id, client_uuid);
  }

  async handOver(): Promise<Blob> {
    const file = handOverOf(this.paired, this.#parts.queue, this.#parts.clock.now());
    return new Blob([JSON.stringify(file, null, 1)], { type: 'application/json' });
  }

  testMode(on: boolean): Promise<void> {
    const turn = this.#switching.then(() => this.#switch(on && !this.#inTestEvent() ? 'test' : 'live'));
    this.#switching = turn.catch(() => {});
    return turn;
  }

  async #switch(mode: Mode): Promise<void> {
    const { board, event, roster, mode: before } = this.#parts;
    if (before === mode) return;
    this.#parts.mode = mode;
    try {
      board.roster = await roster.open({ device: event.id, token: event.token, mode });
    } catch (error) {
      this.#parts.mode = before;
      throw error;
    }
    board.changed();
    this.#background.now();
  }

  /** There everything is a test, and there is only one roster. */
  #inTestEvent(): boolean {
    return this.manifest()?.event.test === true;
  }

  async choosePoint(code: string): Promise<void> {
    Object.assign(this.#parts, { event: { ...this.#parts.event, point: code } });
    await putEvent(this.#db, this.#parts.event);
  }

  async toHandOut(people: readonly BookedBy[]): Promise<readonly ToHandOut[]> {
    return this.#parts.mode === 'test' ? [] : this.#parts.handOuts.of(this.#parts, people);
  }

  async handOut(unit: ToHandOut): Promise<void> {
    try {
      await this.#parts.handOuts.handOut(this.#parts, unit, this.#parts.event.point ?? '');
    } finally {
      this.#sync.changesSoon();
      this.#background.soon();
    }
  }

  async undoHandOut(client_uuid: string, reason: string): Promise<void> {
    await this.#parts.handOuts.undo(this.#parts, client_uuid, reason);
    this.#refresh();
  }

  members() {
    return this.#members.list();
  }

  unlock(member: string, pin: string) {
    return this.#members.unlock(member, pin);
  }

  async override(checkin: string, reason: string): Promise<string> {
    const written = await this.#members.override(checkin, reason);
    this.#refresh();
    return written;
  }

  async undo(checkin: string, reason: string): Promise<string> {
    const undone = await this.#members.undo(checkin, reason);
    this.#refresh();
    return undone;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const stop of this.#stops.splice(0).reverse()) stop();
    this.#db.close();
  }

  #refresh(): void {
    this.#sync.changesSoon();
    this.#background.wake();
  }

  #takenAway(): void {
    if (this.#parts !== undefined) {
      this.#parts.board.elsewhere = true;
      this.#parts.board.changed();
    }
    this.close();
  }

  /** The storage was deleted while the app is open. What is in memory goes back to disk, and it is said. */
  async #wiped(): Promise<void> {
    if (this.#closed || this.#parts === undefined) return;
    this.#parts.board.storage = 'wiped';
    this.#parts.board.changed();
    for (let tries = 0; tries < REWRITES && !this.#closed; tries += 1) {
      try {
        return await this.#rewrite();
      } catch {
        // The browser is still deleting.
        await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** tries));
      }
    }
  }

  async #rewrite(): Promise<void> {
    const { event, handOuts, queue, roster } = this.#parts;
    await putEvent(this.#db, event);
    await queue.rewrite();
    await handOuts.rewrite();
    await roster.rewrite();
    await mark();
  }
}
