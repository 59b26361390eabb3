import { ticketCode } from '@turnout/checkin';
import type { RosterChanges } from '@turnout/client';
import { call } from '../engine/calls.ts';
import { readChanges } from '../engine/shapes.ts';
import { CALL_TIMEOUT } from '../engine/times.ts';
import { type Db, isFull } from '../store/db.ts';
import {
  addChanges,
  putOwn,
  type RosterKey,
  type RosterRow,
  readOwn,
  readStored,
  replaceRoster,
} from '../store/rosters.ts';
import type { AttendancePart, Judged, Looked, RosterApi, RosterOutcome, RosterState, TicketReference } from './api.ts';
import { Book, type FoundPeople, type Overlay, type RegisteredPerson } from './book.ts';
import { download } from './download.ts';
import { FORMAT, isFormat, keptEntry } from './entry.ts';
import { isHash, keyOfHash } from './ids.ts';
import { type OwnAdmission, OwnScans } from './own.ts';
import { openPacked, type Packed } from './packed.ts';
import { checkedEntry } from './stream.ts';

/** With more changes than this, opening and searching become slow, and everything is packed anew. */
export const FOLD_AT = 5_000;

/** What memory has and the disk may not have. */
interface Lacking {
  /** The packed roster itself, and so everything that lies over it. */
  readonly packed: boolean;
  readonly changes: Overlay;
  /** Own admissions that are still on disk. */
  readonly forgotten: readonly OwnAdmission[];
}
const NOTHING: Lacking = { packed: false, changes: new Map(), forgotten: [] };

/** Changes, and the instant up to which they are complete. */
interface Heard {
  readonly as_of: string;
  readonly overlay: Overlay;
}

/** Keeps one roster, in memory and on disk, and answers from it. It runs in a worker, so that the screen never waits for it. */
export class Keeper implements RosterApi {
  readonly #db: Db;
  readonly #progress: (tickets: number) => void;
  #rosterKey: RosterKey | null = null;
  #token = '';
  #row: RosterRow | null = null;
  #book: Book | null = null;
  /** Known also while there is no roster yet. */
  #own = new OwnScans();
  /**
   * Every write adds what earlier ones could not. Otherwise, after one write failed and the next one did not, the disk would claim to
   * be as new as memory, but would lack what was in the first.
   */
  #lacking = NOTHING;
  /** What was heard since the download of a whole roster began; null while there is none. */
  #meanwhile: Heard[] | null = null;

  constructor(db: Db, progress: (tickets: number) => void) {
    this.#db = db;
    this.#progress = progress;
  }

  async open({ device, token, mode }: Parameters<RosterApi['open']>[0]): Promise<RosterState | null> {
    const which: RosterKey = { device, mode };
    const [stored, own] = await Promise.all([readStored(this.#db, which), readOwn(this.#db, which)]);
    this.#rosterKey = which;
    this.#token = token;
    this.#own = new OwnScans();
    for (const one of own) this.#own.put(one);
    this.#row = null;
    this.#book = null;
    this.#lacking = NOTHING;
    // What lies over a packed roster is of the same format as the roster.
    if (stored === null || !isFormat(stored.format ?? 1)) return null;
    const { buffer, overlay, ...row } = stored;
    try {
      this.#use(row, openPacked(buffer), overlay);
      return this.#state();
    } catch {
      // A roster that cannot be read is loaded again. The scans that wait on the device must not depend on it.
      this.#row = null;
      this.#book = null;
      return null;
    }
  }

  async load({ manifest, etag, now }: Parameters<RosterApi['load']>[0]): Promise<RosterOutcome> {
    const which = this.#rosterKey;
    const meanwhile: Heard[] = [];
    this.#meanwhile = meanwhile;
    const loaded = await download(manifest, this.#progress);
    this.#meanwhile = null;
    if (loaded.kind !== 'packed') return loaded;
    if (which !== this.#rosterKey) return { kind: 'none', why: 'another roster was opened meanwhile' };
    this.#use(
      { format: FORMAT, manifest, etag, as_of: loaded.as_of, at: now },
      loaded.packed,
      laterThan(loaded.as_of, meanwhile),
    );
    this.#lack({ packed: true });
    return this.#written();
  }

  async relink({ manifest, etag }: Parameters<RosterApi['relink']>[0]): Promise<void> {
    if (this.#row === null) return;
    this.#row = { ...this.#row, manifest, etag };
    await this.#write();
  }

  async changes({ now }: Parameters<RosterApi['changes']>[0]): Promise<RosterOutcome> {
    const book = this.#book;
    if (book === null || this.#row === null) return { kind: 'none', why: 'there is no roster yet' };
    const heard = await call({ ...this.#changesSince(this.#row.as_of), timeout: CALL_TIMEOUT, read: readChanges });
    if (heard.kind === 'refused') return heard;
    if (heard.kind !== 'answer') return { kind: 'none', why: heard.kind === 'none' ? heard.why : heard.kind };
    // A whole roster arrived meanwhile; these changes are not about it.
    if (book !== this.#book) return { kind: 'done', state: this.#state() };
    let overlay: Overlay;
    try {
      overlay = overlayOf(heard.body);
    } catch (error) {
      return { kind: 'none', why: (error as Error).message };
    }
    book.apply(overlay);
    this.#row = { ...this.#row, as_of: heard.body.as_of, at: now };
    this.#meanwhile?.push({ as_of: heard.body.as_of, overlay });
    this.#lack({ changes: overlay });
    return this.#written();
  }

  async look(named: TicketReference): Promise<Looked> {
    const key = await keyOf(named);
    return { key, entry: this.#book?.find(key) ?? null, known: this.#book !== null };
  }

  async decide({ named, ...scan }: Parameters<RosterApi['decide']>[0]): Promise<Judged> {
    const looked = await this.look(named);
    return { ...looked, decision: this.#book?.decide(looked.key, scan) ?? null };
  }

  async search({ text, most, ...standing }: Parameters<RosterApi['search']>[0]): Promise<FoundPeople> {
    return this.#book?.search(text, most, standing) ?? { people: [], count: 0 };
  }

  async registered({ code, point, at }: Parameters<RosterApi['registered']>[0]): Promise<RegisteredPerson[]> {
    return this.#book?.registered(code, point, at) ?? [];
  }

  async counts({ point, now }: { point: string; now: number }) {
    return this.#book?.counts(point, now) ?? null;
  }

  async attendance({ day, now }: { day: string; now: number }) {
    return this.#book?.attendance(day, now).counts(now) ?? null;
  }

  async attendanceList({ day, now, where, from, count }: AttendancePart) {
    return this.#book?.attendance(day, now).list(where, from, count) ?? { people: [], count: 0 };
  }

  async note({ scans, put }: Parameters<RosterApi['note']>[0]): Promise<void> {
    const of = new Set(scans);
    const drop = (one: OwnAdmission) => of.has(one.client_uuid);
    if (this.#book !== null) this.#book.note(put, drop);
    else {
      this.#own.drop(drop);
      for (const one of put) this.#own.put(one);
    }
  }

  async fold(): Promise<boolean> {
    if (this.#book === null || this.#row === null || this.#book.overlay.size <= FOLD_AT) return false;
    this.#use(this.#row, this.#book.folded(this.#row.manifest.event.timezone));
    // If this fails, the disk lacks nothing: it says the same in more rows.
    await this.#write({ whole: true });
    return true;
  }

  async rewrite(): Promise<void> {
    if (this.#rosterKey === null) return;
    if (this.#book === null) return putOwn(this.#db, this.#rosterKey, this.#own.all());
    this.#lack({ packed: true });
    await this.#write({ put: this.#own.all() });
  }

  #use(row: RosterRow, packed: Packed, overlay?: Overlay): void {
    const { mode } = this.#rosterKey!;
    this.#row = row;
    this.#book = new Book({
      packed,
      ...(overlay !== undefined && { overlay }),
      own: this.#own,
      manifest: row.manifest,
      test: mode === 'test',
    });
  }

  #lack({ packed = false, changes = NOTHING.changes }: Partial<Lacking>): void {
    const before = this.#lacking;
    this.#lacking = {
      packed: before.packed || packed,
      changes: new Map([...before.changes, ...changes]),
      forgotten: [...before.forgotten, ...this.#forgetKnown()],
    };
  }

  /** Writes all that the disk may lack, together with the `as_of` that this brings it to. */
  async #write({ whole = this.#lacking.packed, put = [] as Iterable<OwnAdmission> } = {}): Promise<void> {
    const lacking = this.#lacking;
    const { changes, forgotten: forget } = lacking;
    const { packed, overlay } = this.#book!;
    await (whole
      ? replaceRoster(this.#db, this.#rosterKey!, this.#row!, { buffer: packed.buffer, overlay }, { forget, put })
      : addChanges(this.#db, this.#rosterKey!, this.#row!, changes, forget));
    // Unless more has come meanwhile.
    if (this.#lacking === lacking) this.#lacking = NOTHING;
  }

  /** The admissions that the roster is newer than. The time of the server's answer is known only to the millisecond. */
  #forgetKnown(): OwnAdmission[] {
    const as_of = Date.parse(this.#row!.as_of);
    return this.#book!.note([], ({ recorded }) => recorded !== null && recorded + 1 < as_of);
  }

  #changesSince(as_of: string) {
    const { manifest } = this.#row!;
    const test = this.#rosterKey!.mode === 'test' && !manifest.event.test ? '&test=true' : '';
    const path = `/events/${manifest.event.id}/scan/roster?since=${encodeURIComponent(as_of)}${test}`;
    return { method: 'GET', path, token: this.#token } as const;
  }

  async #written(): Promise<RosterOutcome> {
    try {
      await this.#write();
      return { kind: 'done', state: this.#state() };
    } catch (error) {
      return { kind: 'unwritten', state: this.#state(), full: isFull(error) };
    }
  }

  #state(): RosterState {
    const { as_of, at, manifest, etag } = this.#row!;
    const { tickets, packed } = this.#book!;
    return { tickets, as_of, at, manifest, etag, outdated: packed.format !== FORMAT || this.#row!.format !== FORMAT };
  }
}

function overlayOf({ data, removed }: RosterChanges): Overlay {
  const overlay: Overlay = new Map();
  for (const hash of removed) if (isHash(hash)) overlay.set(keyOfHash(hash), null);
  for (const entry of data) overlay.set(keyOfHash(checkedEntry(entry).code_sha256), keptEntry(entry));
  return overlay;
}

/**
 * The changes that a roster cannot have, because they were answered after its `as_of`. An entry that was read late in the download may
 * still be newer than a change of it. So the `as_of` stays: asking for changes since then brings every such entry again.
 */
function laterThan(as_of: string, all: readonly Heard[]): Overlay {
  return new Map(all.filter((one) => Date.parse(one.as_of) > Date.parse(as_of)).flatMap(({ overlay }) => [...overlay]));
}

async function keyOf(named: TicketReference): Promise<string> {
  if ('key' in named) return named.key;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(ticketCode(named.code)));
  return keyOfHash(Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join(''));
}
