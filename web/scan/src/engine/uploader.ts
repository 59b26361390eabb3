import { admittedByServer } from './admissions.ts';
import { type Batch, MAX_SCANS, makeBatch, settle } from './batch.ts';
import { call } from './calls.ts';
import { eventPath, note, type Parts } from './parts.ts';
import { checkInsOf } from './scan-answers.ts';
import { readBatch } from './shapes.ts';
import { BATCH_PAUSE, BATCH_TIMEOUT } from './times.ts';

/**
 * Sends the queue up, oldest first, one batch at a time. A scan leaves the queue only with an answer of the server: into the record, or
 * into the kept list. While a batch gets no answer, the same bytes go up again under the same key, so that the server answers a batch
 * that it has already worked on at once.
 */
export class Uploader {
  readonly #parts: Parts;
  #pending: (Batch & { readonly key: string }) | null = null;
  /** Not before this time of the steady clock. */
  #notBefore = 0;
  /** Halved when a batch is refused as a whole, doubled when one is answered. */
  #most = MAX_SCANS;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** When the next batch may go up; null if there is nothing to send. */
  dueAt(): number | null {
    return this.#pending === null && this.#parts.queue.length === 0 ? null : this.#notBefore;
  }

  async upload(): Promise<void> {
    const { board, clock, event, queue } = this.#parts;
    if (this.#pending === null) {
      const batch = makeBatch(queue.waiting(), this.#most);
      if (batch.rows.length === 0) return;
      this.#pending = { ...batch, key: crypto.randomUUID() };
    }
    const { rows, body, key } = this.#pending;
    const outcome = await call({
      method: 'POST',
      path: `${eventPath(this.#parts)}/scan/batch`,
      token: event.token,
      body,
      key,
      timeout: BATCH_TIMEOUT,
      read: readBatch(rows.length),
    });
    this.#notBefore = clock.steady() + BATCH_PAUSE;
    note(board, outcome, 'event', true);
    if (outcome.kind === 'answer') {
      await this.#answered(rows, outcome.body);
      this.#pending = null;
      // Not all at once: the scans behind a batch that was too much for the server are often just as many people.
      this.#most = Math.min(MAX_SCANS, this.#most * 2);
    } else if (outcome.kind === 'refused') await this.#refused(rows, outcome.refusal);
  }

  async #answered(rows: Batch['rows'], items: Parameters<typeof settle>[1]): Promise<void> {
    const { board, queue, roster } = this.#parts;
    const { answered, notRecorded, differences } = settle(rows, items);
    const points = board.manifest?.check_in_points ?? [];
    const own = answered.map(({ row, answer }) => ({
      client_uuid: row.client_uuid,
      mode: row.test ? ('test' as const) : ('live' as const),
      admissions: admittedByServer(row, points.find(({ code }) => code === row.point)?.kind ?? 'entry', answer),
    }));
    const recorded = answered.map(({ row, answer }) => ({ n: row.n, checkins: checkInsOf(answer) }));
    await queue.settle({
      answered: rows.map(({ client_uuid }) => client_uuid),
      kept: notRecorded,
      differences,
      own,
      recorded,
    });
    const here = own.filter(({ mode }) => mode === this.#parts.mode);
    await roster.note({
      scans: here.map(({ client_uuid }) => client_uuid),
      put: here.flatMap(({ admissions }) => admissions),
    });
    for (const { device: _, ...one } of differences) this.#parts.disagreed(one);
  }

  async #refused(
    rows: Batch['rows'],
    refusal: { status: number; code: string; message: string; retryAfter: number | null },
  ): Promise<void> {
    const { board, clock, queue } = this.#parts;
    if (refusal.status === 429 || refusal.code === 'batch_in_progress') {
      this.#notBefore = clock.steady() + Math.max(BATCH_PAUSE, (refusal.retryAfter ?? 1) * 1000);
      return;
    }
    // A refusal is repeated under its own key for a day, so the next try needs a new one.
    this.#pending = null;
    if (!board.scanning) return;
    // Not the device and not the event: the batch is too much at once (413), or something in it is wrong. Either way less is sent.
    if (rows.length > 1) {
      this.#most = Math.ceil(rows.length / 2);
      return;
    }
    this.#most = MAX_SCANS;
    const [row] = rows;
    const error = { code: refusal.code, message: refusal.message };
    await queue.settle({ answered: [row!.client_uuid], kept: [{ ...row!, error }] });
  }
}
