import type { Manifest } from '@turnout/client';
import type { RosterOutcome } from '../roster/api.ts';
import type { Mode } from '../store/rows.ts';
import { call } from './calls.ts';
import { ARCHIVED } from './link.ts';
import { eventPath, note, type Parts } from './parts.ts';
import { readManifest } from './shapes.ts';
import { CALL_TIMEOUT, CHANGES_EVERY, CLOCK_EVERY, MANIFEST_EVERY } from './times.ts';

/**
 * Keeps manifest and roster up to date. If the structure of the event changed, the whole roster is loaded again, because its entries
 * name days, types and points by codes; until it is here, the old manifest and the old roster stay in use together.
 */
export class Sync {
  readonly #parts: Parts;
  #manifestAt = 0;
  #changesAt = 0;
  #clockAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | null = null;
  /** The newest manifest whose structure is not here yet. It is being loaded, or a manifest before it is. */
  #wantedManifest: WantedManifest | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The earliest time at which something is to be asked. */
  dueAt(): number {
    return Math.min(this.#manifestAt, this.#parts.board.roster === null ? Number.POSITIVE_INFINITY : this.#changesAt);
  }

  /** Fetches everything at once, for example after the server has come back, and also the time, because the device may have slept. */
  soon(): void {
    this.#clockAt = Number.NEGATIVE_INFINITY;
    this.#manifestAt = 0;
    this.#changesAt = 0;
  }

  changesSoon(): void {
    this.#changesAt = 0;
  }

  async turn(): Promise<void> {
    const now = this.#parts.clock.steady();
    if (this.#manifestAt <= now) await this.manifest();
    else if (this.#changesAt <= now && this.#parts.board.roster !== null) await this.#changes();
  }

  async manifest(): Promise<void> {
    const { board, clock, event, mode } = this.#parts;
    const sentAt = clock.steady();
    // The whole manifest now and then, also if it has not changed, for the time in it.
    const fresh = sentAt - this.#clockAt > CLOCK_EVERY;
    const outcome = await call({
      method: 'GET',
      path: `${eventPath(this.#parts)}/scan/manifest${mode === 'test' ? '?test=true' : ''}`,
      token: event.token,
      etag: fresh || board.roster?.outdated === true ? null : (board.roster?.etag ?? null),
      timeout: CALL_TIMEOUT,
      read: readManifest,
    });
    note(board, outcome, 'event');
    // Test mode was switched meanwhile: the manifest of the other mode is still to be asked for.
    if (mode !== this.#parts.mode) return;
    this.#manifestAt = clock.steady() + MANIFEST_EVERY;
    if (outcome.kind !== 'answer') return;
    clock.heard(Date.parse(outcome.body.server_time), sentAt, clock.steady());
    this.#clockAt = sentAt;
    this.#archived(outcome.body);
    await this.#take(outcome.body, outcome.etag);
    board.changed();
  }

  /** Waits until a download that is under way is over. */
  async settled(): Promise<void> {
    await this.#loading;
  }

  #archived(manifest: Manifest): void {
    const { board } = this.#parts;
    const archived = manifest.event.status === 'archived';
    if (archived) board.heard({ what: 'refused', code: ARCHIVED });
    else if (board.link.refusal === ARCHIVED) board.heard({ what: 'answered', scanning: true });
  }

  async #take(manifest: Manifest, etag: string | null): Promise<void> {
    const { board, mode, roster } = this.#parts;
    const held = board.roster;
    board.coming = manifest;
    if (held !== null && !held.outdated && structureOf(held.manifest) === structureOf(manifest)) {
      this.#wantedManifest = null;
      board.roster = { ...held, manifest, etag };
      if (held.etag !== etag || held.manifest.roster.url !== manifest.roster.url) {
        await roster.relink({ manifest, etag }).catch(() => {});
      }
      return;
    }
    this.#wantedManifest = { mode, manifest, etag };
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
  }

  /** Beside everything else: a large roster takes a while, and scans go up meanwhile. */
  async #load(): Promise<void> {
    const { board, clock, roster } = this.#parts;
    // What was wanted before test mode was switched is not wanted any more.
    while (this.#wantedManifest?.mode === this.#parts.mode) {
      const loadingManifest = this.#wantedManifest;
      const { manifest, etag } = loadingManifest;
      board.loading = { done: 0, total: manifest.roster.count };
      board.changed();
      const outcome = await roster.load({ manifest, etag, now: clock.now() }).catch(failed);
      this.#took(outcome);
      // A roster that took minutes to load is minutes old.
      if (arrived(outcome)) this.changesSoon();
      // If it could not be loaded, it is tried again with the next manifest, which may be here already.
      const same = arrived(outcome) && isSame(this.#wantedManifest, loadingManifest);
      if (same || this.#wantedManifest === loadingManifest) this.#wantedManifest = null;
    }
    board.loading = null;
    board.changed();
  }

  async #changes(): Promise<void> {
    const { board, clock, roster } = this.#parts;
    // A caller who wants changes while this request runs wants later ones, and does not wait for it.
    this.#changesAt = Number.POSITIVE_INFINITY;
    const outcome = await roster.changes({ now: clock.now() }).catch(failed);
    const next = clock.steady() + CHANGES_EVERY + (Math.random() - 0.5) * 2_000;
    this.#changesAt = Math.min(this.#changesAt, next);
    this.#took(outcome);
    board.changed();
  }

  #took(outcome: RosterOutcome): void {
    const { board } = this.#parts;
    if (arrived(outcome)) {
      board.roster = outcome.state;
      board.heard({ what: 'answered', scanning: false });
      if (outcome.kind === 'unwritten' && outcome.full) board.storage = 'full';
    } else note(board, outcome, 'event');
  }
}

interface WantedManifest {
  readonly mode: Mode;
  readonly manifest: Manifest;
  readonly etag: string | null;
}

const isSame = (a: WantedManifest | null, b: WantedManifest): boolean =>
  a?.mode === b.mode && structureOf(a.manifest) === structureOf(b.manifest);

const arrived = (outcome: RosterOutcome): outcome is Extract<RosterOutcome, { kind: 'done' | 'unwritten' }> =>
  outcome.kind === 'done' || outcome.kind === 'unwritten';

const failed = (error: unknown): RosterOutcome => ({ kind: 'none', why: String(error) });

/** What the entries of a roster depend on. The rest of a manifest changes by itself. */
export function structureOf({ roster: _, server_time: __, ...structure }: Manifest): string {
  return JSON.stringify(structure);
}
