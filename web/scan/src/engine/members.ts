import type { CheckIn } from '@turnout/client';
import type { OwnAdmission } from '../roster/own.ts';
import { readOwn } from '../store/rosters.ts';
import { changeLast, writeScans } from '../store/scans.ts';
import { call, type Outcome } from './calls.ts';
import { refusedBy, unanswered } from './errors.ts';
import { note, type Parts } from './parts.ts';
import { withDecision } from './scan-answers.ts';
import { orgOf } from './session-token.ts';
import { readCheckIn, readMembers, readUnlocked } from './shapes.ts';
import { CALL_TIMEOUT } from './times.ts';
import type { ScanAnswer } from './types.ts';

/** What a member decides at this device. It needs the server: nobody may override anything that the server does not hear of. */
export class Members {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Nobody else unlocks the browser of a member, who decides in their own name. */
  async list(): Promise<readonly { id: string; name: string }[]> {
    if (orgOf(this.#token) !== null) return [];
    const request = {
      method: 'GET',
      path: '/devices/self/members',
      token: this.#token,
      timeout: CALL_TIMEOUT,
    } as const;
    return (await this.#done(call({ ...request, read: readMembers }))).data;
  }

  async unlock(member: string, pin: string): Promise<{ name: string; expires_at: string }> {
    const unlocked = await this.#done(this.#post('/devices/self/unlock', { member, pin }, readUnlocked));
    return { name: unlocked.member.name, expires_at: unlocked.expires_at };
  }

  async override(checkin: string, reason: string): Promise<string> {
    const path = `/checkins/${encodeURIComponent(checkin)}/override`;
    const written = await this.#done(this.#post(path, { reason }, readCheckIn));
    // An override belongs to no scan of its own; its id stands in for one.
    await this.#correct(written, written.id, () => [this.#admission(written)]);
    await this.#decided(checkin, written.id, true);
    return written.id;
  }

  async undo(checkin: string, reason: string): Promise<string> {
    const undone = await this.#done(
      this.#post(`/checkins/${encodeURIComponent(checkin)}/undo`, { reason }, readCheckIn),
    );
    const others = (own: readonly OwnAdmission[]) => own.filter((one) => one.checkin !== undone.id);
    await this.#correct(undone, undone.client_uuid ?? undone.id, others);
    await this.#decided(checkin, undone.id, false);
    return undone.id;
  }

  /** The list of the last scans tells what became of this one. The server knows it already, so a disk that is full is no fault here. */
  async #decided(checkin: string, now: string, admitted: boolean): Promise<void> {
    const { board, db, event } = this.#parts;
    const change = (answer: ScanAnswer): ScanAnswer => {
      const made = answer.checkins.find(({ id }) => id === checkin);
      return made === undefined ? answer : withDecision(answer, made.attendee_id, admitted, now);
    };
    await changeLast(db, event.id, change).catch(() => {});
    board.changed();
  }

  /** What this device knows of its own scans follows at once; the roster will a moment later. */
  async #correct(
    { test }: CheckIn,
    scan: string,
    change: (own: readonly OwnAdmission[]) => readonly OwnAdmission[],
  ): Promise<void> {
    const { board, db, event, mode, roster } = this.#parts;
    // A test event has only one roster, and it is kept as the live one.
    const apart = test && board.manifest?.event.test !== true;
    const which = { device: event.id, mode: apart ? ('test' as const) : ('live' as const) };
    const own = (await readOwn(db, which)).filter(({ client_uuid }) => client_uuid === scan);
    const put = change(own);
    await writeScans(db, event.id, { own: [{ client_uuid: scan, mode: which.mode, admissions: put }] });
    if (which.mode === mode) await roster.note({ scans: [scan], put });
  }

  #admission(written: CheckIn): OwnAdmission {
    const points = this.#parts.board.manifest?.check_in_points ?? [];
    const point = points.find(({ id, code }) => id === written.check_in_point || code === written.check_in_point);
    return {
      client_uuid: written.id,
      person: written.attendee_id,
      ticket: null,
      check_in_point: point?.code ?? written.check_in_point,
      kind: point?.kind ?? 'entry',
      day: written.day,
      at: Date.parse(written.scanned_at),
      n: this.#parts.next(),
      recorded: Date.parse(written.recorded_at),
      checkin: written.id,
    };
  }

  get #token(): string {
    return this.#parts.event.token;
  }

  /** The same question after a lost answer goes under the same key, so that it is done once. */
  readonly #keys = new Map<string, string>();

  async #post<T>(path: string, json: unknown, read: (json: unknown) => T | null): Promise<Outcome<T>> {
    const body = json === undefined ? undefined : JSON.stringify(json);
    const what = `${path} ${body}`;
    const key = this.#keys.get(what) ?? crypto.randomUUID();
    this.#keys.set(what, key);
    const request = { method: 'POST', path, token: this.#token, ...(body !== undefined && { body }), key } as const;
    const outcome = await call({ ...request, timeout: CALL_TIMEOUT, read });
    if (outcome.kind !== 'none') this.#keys.delete(what);
    return outcome;
  }

  async #done<T>(asking: Promise<Outcome<T>>): Promise<T> {
    const outcome = await asking;
    note(this.#parts.board, outcome, 'thing');
    if (outcome.kind === 'refused') throw refusedBy(outcome.refusal);
    if (outcome.kind !== 'answer') throw unanswered();
    return outcome.body;
  }
}
