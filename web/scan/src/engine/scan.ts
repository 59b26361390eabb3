import { isRegistrationCode, ticketCode } from '@turnout/checkin';
import type { ScanResponse } from '@turnout/client';
import type { Looked, TicketReference } from '../roster/api.ts';
import type { Inside, RegisteredPerson } from '../roster/book.ts';
import type { KeptEntry, KeptPerson } from '../roster/entry.ts';
import type { Mode, QueueRow } from '../store/rows.ts';
import type { ScanChanges } from '../store/scans.ts';
import { admittedByDevice, admittedByServer } from './admissions.ts';
import { batchScanOf } from './batch.ts';
import { type CallRefusal, call, type Outcome } from './calls.ts';
import { EngineError } from './errors.ts';
import { heardIn } from './link.ts';
import { eventPath, note, type Parts } from './parts.ts';
import {
  deviceAnswer,
  doorAnswers,
  firstOf,
  joinAnswers,
  nameOf,
  serverAnswer,
  undecidedAnswer,
} from './scan-answers.ts';
import { groupOf, readScan } from './shapes.ts';
import { ANSWER_MS, ONLY_SERVER_MS, SCAN_TIMEOUT } from './times.ts';
import type { PeopleQuestion, ScanAnswer, ScanTarget } from './types.ts';

/** No ticket has a longer code, and the server takes no longer one. */
const MAX_CODE_LENGTH = 500;

export interface ScanOptions {
  readonly point: string;
  readonly test: boolean;
  readonly people?: readonly string[];
}

/**
 * The one way of a scan, with a network and without:
 *
 *   1  ask who is here, if several people are on the ticket, or if it is the code of a registration
 *   2  the scan is on disk
 *   3  while the server answers: ask it, and wait 400 ms at most, or 3 s for a ticket that this device cannot judge. In time: its
 *      answer is told, and the scan leaves the queue
 *   4  else decide here. The result is on disk, and then it is told; the uploader takes the scan up later
 */
export class Scanner {
  readonly #parts: Parts;
  readonly #soon: () => void;
  readonly #answerMs: number;
  /** Deciding and writing down what was decided must not mix with another scan: the second must know what the first admitted. */
  #deciding: Promise<unknown> = Promise.resolve();
  /** The server wants no single scans before this time of the steady clock. */
  #askNotBefore = 0;

  constructor(parts: Parts, soon: () => void, answerMs = ANSWER_MS) {
    this.#parts = parts;
    this.#soon = soon;
    this.#answerMs = answerMs;
  }

  async scan(target: ScanTarget, options: ScanOptions): Promise<ScanAnswer | PeopleQuestion> {
    const named = namedBy(target);
    const looked = await this.#parts.roster.look(named);
    this.#requireScanning();
    if (looked.entry === null && 'code' in target) {
      const registered = await this.#registered(target.code, options);
      if (registered.length > 0) return this.#ofRegistration(target, options, registered);
    }
    const people = looked.entry?.people ?? [];
    if (people.length > 1 && options.people === undefined) {
      const question = await this.#questionAbout(target, options, looked, people);
      if (question.people.some(({ inside }) => inside === null)) return question;
    }
    // If nobody is left to ask for, the answer says of everybody known here when they came in.
    const present = options.people ?? (people.length > 1 ? people.map(({ id }) => id) : undefined);
    const row = this.#row(target, { ...options, ...(present !== undefined && { people: present }) }, looked);
    this.#parts.queue.asking.add(row.client_uuid);
    try {
      return await this.#ask(row, named, looked);
    } finally {
      this.#parts.queue.asking.delete(row.client_uuid);
      this.#parts.board.changed();
      this.#soon();
    }
  }

  /** The people of the registration with this code, by what this device knows; none if it is no such code. */
  async #registered(text: string, { point }: ScanOptions): Promise<RegisteredPerson[]> {
    const code = ticketCode(text);
    const { clock, roster } = this.#parts;
    return isRegistrationCode(code) ? roster.registered({ code, point, at: clock.now() }) : [];
  }

  /** Whoever is here is scanned by their tickets, one after the other: the record knows scans of tickets only. */
  async #ofRegistration(
    target: ScanTarget,
    options: ScanOptions,
    registered: readonly RegisteredPerson[],
  ): Promise<ScanAnswer | PeopleQuestion> {
    const left = registered.some(({ inside }) => inside === null);
    const present = options.people ?? (left ? undefined : registered.map(({ person }) => person.id));
    if (present === undefined) {
      const people = registered.map(({ person, inside }) => this.#personHere(person, inside));
      return { ask: 'people', target, registration: registered[0]!.entry.registration, people };
    }
    const byTicket = new Map<string, { target: ScanTarget; people: string[] }>();
    for (const { key, entry, person } of registered) {
      if (!present.includes(person.id)) continue;
      const ticket = byTicket.get(key) ?? { target: { ticket_id: entry.ticket_id, key }, people: [] };
      ticket.people.push(person.id);
      byTicket.set(key, ticket);
    }
    const all: ScanAnswer[] = [];
    for (const { target: ticket, people } of byTicket.values()) {
      all.push((await this.scan(ticket, { ...options, people })) as ScanAnswer);
    }
    return joinAnswers(all);
  }

  async #ask(row: QueueRow, named: TicketReference, looked: Looked): Promise<ScanAnswer> {
    const { board, clock, queue } = this.#parts;
    const kept = await queue.write({ queue: [row] }).then(
      () => true,
      () => false,
    );
    const ask = board.link.connection === 'online' && clock.steady() >= this.#askNotBefore;
    const outcome = ask || !kept ? await this.#answer(row, this.#patience(kept, looked)) : null;
    if (outcome?.kind === 'answer') return this.#answerFromServer(row, looked, outcome.body);
    if (!kept) throw new EngineError('storage', 'This device cannot keep scans: its storage is full or missing.');
    if (outcome?.kind === 'refused') await this.#refused(row, outcome.refusal);
    return this.#inTurn(() => this.#decideHere(row, named, newestOn(looked.entry)));
  }

  /** How long the server is waited for. */
  #patience(kept: boolean, { entry, known }: Looked): number {
    // A scan that is not on disk may be told only if the server has recorded it.
    if (!kept) return SCAN_TIMEOUT;
    const judged = known && (entry !== null || groupOf(this.#parts.board.manifest) === null);
    return judged ? this.#answerMs : Math.max(this.#answerMs, ONLY_SERVER_MS);
  }

  /** The server's answer, or null if it did not come in time. A late one still tells that the server is there. */
  async #answer(row: QueueRow, within: number): Promise<Outcome<ScanResponse> | null> {
    const { board, event } = this.#parts;
    const reply = call({
      method: 'POST',
      path: `${eventPath(this.#parts)}/scan`,
      token: event.token,
      body: JSON.stringify(batchScanOf(row)),
      key: crypto.randomUUID(),
      timeout: SCAN_TIMEOUT,
      read: readScan,
    });
    let late = false;
    const noted = reply.then((outcome) => {
      // That it was late was counted already.
      if (!late || outcome.kind !== 'none') note(board, outcome, 'event', true);
      return outcome;
    });
    const outcome = await Promise.race([noted, this.#pause(within)]);
    if (outcome !== null) return outcome;
    late = true;
    board.heard({ what: 'unanswered' });
    return null;
  }

  async #answerFromServer(row: QueueRow, { entry, key }: Looked, response: ScanResponse): Promise<ScanAnswer> {
    const { board, queue } = this.#parts;
    const answer = serverAnswer({ row, manifest: board.manifest, entry }, response);
    const admissions = admittedByServer({ ...row, ticket: entry && key }, answer.point_kind, response);
    await this.#inTurn(async () => {
      const own = [{ client_uuid: row.client_uuid, mode: modeOf(row), admissions }];
      await queue.settle({ answered: [row.client_uuid], own, told: [{ n: row.n, told: answer }] });
      await this.#noteOwn(row, admissions);
    });
    return answer;
  }

  /** Throws if nobody may be told anything. Otherwise the device decides. */
  async #refused(row: QueueRow, refusal: CallRefusal): Promise<void> {
    const { board, clock, queue } = this.#parts;
    const heard = heardIn(refusal, 'event');
    if (heard?.what === 'busy') {
      this.#askNotBefore = clock.steady() + (refusal.retryAfter ?? 1) * 1000;
      return;
    }
    if (heard !== null && !board.scanning) {
      // Nothing was recorded, and nobody is told a result. If the scan waited, it would admit somebody later who was sent away.
      await queue.settle({ answered: [row.client_uuid] });
      this.#requireScanning();
    }
    const error = { code: refusal.code, message: refusal.message };
    await queue.settle({ answered: [row.client_uuid], kept: [{ ...row, error }] });
    throw new EngineError('not_recorded', refusal.message, refusal);
  }

  async #decideHere(row: QueueRow, named: TicketReference, newest: number): Promise<ScanAnswer> {
    const { board, queue, roster } = this.#parts;
    const scanToJudge = { named, point: row.point, at: row.scanned_at, people: row.people ?? null, newest };
    const { decision, entry, key } = await roster.decide(scanToJudge);
    const { manifest } = board;
    const about = { row, manifest, entry };
    const narrowed = groupOf(manifest) !== null;
    // Test mode may have been switched while the server was asked: then this roster says nothing about the ticket.
    const switched = modeOf(row) !== this.#parts.mode;
    if (decision === null || switched || (entry === null && narrowed)) {
      const undecided = undecidedAnswer(about);
      await queue.write({ told: [{ n: row.n, told: undecided }] });
      return undecided;
    }
    const answer = deviceAnswer(about, decision);
    // A narrowed roster may hold only some of the people on a ticket; the server is told whom this is about.
    const people = row.people ?? (narrowed ? decision.people.map(({ person }) => person) : undefined);
    const decided: QueueRow = { ...row, ...(people && { people }), offline_result: decision.result };
    const admissions = admittedByDevice({ ...row, ticket: entry && key }, answer.point_kind, decision);
    const changes: ScanChanges = {
      queue: [decided],
      own: [{ client_uuid: row.client_uuid, mode: modeOf(row), admissions }],
      told: [{ n: row.n, told: answer }],
    };
    await queue.write(changes);
    await this.#noteOwn(row, admissions);
    return answer;
  }

  async #noteOwn(row: QueueRow, put: ReturnType<typeof admittedByDevice>): Promise<void> {
    if (modeOf(row) === this.#parts.mode) await this.#parts.roster.note({ scans: [row.client_uuid], put });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#deciding.then(work);
    this.#deciding = turn.catch(() => {});
    return turn;
  }

  #row(target: ScanTarget, { point, test, people }: ScanOptions, { entry, key }: Looked): QueueRow {
    const { clock, event, next } = this.#parts;
    return {
      device: event.id,
      client_uuid: crypto.randomUUID(),
      n: next(),
      scanned_at: clock.now(),
      point,
      test,
      ...('code' in target ? { code: cleaned(target.code) } : { ticket_id: target.ticket_id }),
      ...(people !== undefined && { people }),
      names: entry?.people.map((person) => `${person.first_name} ${person.last_name}`) ?? [],
      ticket: entry && key,
    };
  }

  /** Who is inside is what the decision would refuse as a duplicate. Nothing is written by asking it. */
  async #questionAbout(
    target: ScanTarget,
    { point }: ScanOptions,
    { key, entry }: Looked,
    people: KeptEntry['people'],
  ): Promise<PeopleQuestion> {
    const { clock, roster } = this.#parts;
    const everybody = { named: { key }, point, at: clock.now(), people: null, newest: newestOn(entry) };
    const { decision } = await roster.decide(everybody);
    const decided = new Map(decision?.people.map((one) => [one.person, one]));
    const peopleHere = people.map((one) => this.#personHere(one, decided.get(one.id)?.first_admission ?? null));
    return { ask: 'people', target, registration: null, people: peopleHere };
  }

  #personHere(person: KeptPerson, inside: Inside | null): PeopleQuestion['people'][number] {
    const { manifest } = this.#parts.board;
    const { id, first_name, last_name, attendee_type, group } = person;
    return {
      ...{ id, first_name, last_name },
      group: group === null ? null : nameOf(manifest?.groups, group),
      answers: doorAnswers(manifest, person),
      attendee_type: nameOf(manifest?.attendee_types, attendee_type),
      inside: firstOf(manifest, inside),
    };
  }

  #pause(ms: number): Promise<null> {
    return new Promise((resolve) => this.#parts.alarm(ms, () => resolve(null)));
  }

  #requireScanning(): void {
    if (this.#parts.board.scanning) return;
    throw new EngineError('stopped', 'Scanning is stopped on this device. Scans that wait are kept.');
  }
}

const modeOf = ({ test }: QueueRow): Mode => (test ? 'test' : 'live');

/** A camera may read anything. What the server could not even read as text becomes text that is no ticket. */
const cleaned = (code: string): string => code.replaceAll('\u0000', ' ').slice(0, MAX_CODE_LENGTH).toWellFormed();

const namedBy = (target: ScanTarget): TicketReference =>
  'code' in target ? { code: cleaned(target.code) } : { key: target.key };

/** The number of the newest admission on the ticket; 0 if there is none. */
const newestOn = (entry: KeptEntry | null): number =>
  (entry?.people ?? []).flatMap(({ admissions }) => admissions).reduce((newest, { seq }) => Math.max(newest, seq), 0);
