import type { Clock } from '../clock.ts';
import type { Secrets } from '../secrets.ts';
import type { Id } from '../store/ids.ts';
import type { Pool } from '../store/pool.ts';
import { sql } from '../store/sql.ts';
import { CommitUnknown, type Tx, transaction } from '../store/tx.ts';
import { type Answer, answer, replayed } from './answer.ts';
import { isNothing, NOTHING } from './audited.ts';
import { faultsBeyond, mayHaveMore, type References } from './beyond.ts';
import type { Caller } from './caller.ts';
import {
  type Claim,
  claimOrBlind,
  inProgress,
  isKept,
  keepAnswers,
  retryKeyOf,
  reused,
  type Standing,
  standings,
} from './idempotency.ts';
import { Lanes } from './lane.ts';
import type { License } from './license.ts';
import type { Links } from './links.ts';
import type { Change, Occurrence, Operation, Outside, Upload, Work } from './operation.ts';
import { type AuditRow, SOURCE_OF, writeAudit, writeOutbox } from './record.ts';
import { findAll, modeAt } from './reference.ts';
import { type Fault, invalidRequest, MOST_FAULTS, Refusal } from './refusal.ts';

/** A call that passed every check before the work. */
export interface Passed {
  operation: Operation;
  caller: Caller;
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  file: Upload | null;
  requestId: string;
  client: string | null;
  claim: Claim | null;
  ifNoneMatch?: string | undefined;
}

export interface RoadParts {
  pool: Pool;
  clock: Clock;
  secrets: Secrets;
  license: License;
  links: Links;
  outside: Outside;
  /** Where references in a body lead. */
  references?: References;
  /** Tells the relay that outbox rows were committed. */
  wake?: () => void;
  /** Tests hold each reply against its schema, so the published document cannot drift from what is sent. */
  checkReply?: (operation: Operation, body: unknown) => void;
}

interface Ticket {
  call: Passed;
  /** What others answered before the work; a refusal is said by the work, so that it is kept. */
  asked: unknown;
  answer: Answer | null;
  error: unknown;
  /** A twin elsewhere has its claim: it goes on by itself, and its lane with the others. */
  later: Promise<void> | null;
}

/** What the path names, found. */
type At = Record<string, unknown>;

interface Outcome {
  answer: Answer;
  audit: AuditRow[];
  raised: Occurrence[];
  kept: boolean;
  /** Where the work keeps the answer. */
  place: string | null;
}

/** The last part of the one road: the work, in one transaction with its audit, idempotency and outbox rows. */
export class Road {
  readonly #parts: RoadParts;
  readonly #flights = new Map<string, { fingerprint: string; done: Promise<Answer | null> }>();
  readonly #lanes: Lanes<Ticket>;

  constructor(parts: RoadParts) {
    this.#parts = parts;
    this.#lanes = new Lanes((_kind, tickets) => this.#batch(tickets, false));
  }

  get waiting(): number {
    return this.#lanes.depth;
  }

  async perform(call: Passed): Promise<Answer> {
    try {
      if (call.operation.method === 'GET') return await this.#read(call);
      return await (call.claim === null ? this.#write(call) : this.#once(call, call.claim));
    } catch (error) {
      const faults = error instanceof Refusal && error.code === 'validation_failed' ? error.options.details : undefined;
      if (faults === undefined) throw error;
      const whole = await this.refusal(call, faults);
      throw whole.options.details!.length > faults.length ? whole : error;
    }
  }

  /** A call with these faults, refused with everything else that is wrong with it (beyond.ts). */
  async refusal(call: Omit<Passed, 'claim' | 'file' | 'ifNoneMatch'>, faults: readonly Fault[]): Promise<Refusal> {
    const { operation, params, caller } = call;
    const { pool, clock, references = {} } = this.#parts;
    if (faults.length > MOST_FAULTS || !mayHaveMore(operation)) return invalidRequest(faults);
    const authority = { role: 'app', org: caller.org.id } as const;
    const all = await transaction(
      pool,
      clock,
      authority,
      async (tx) => {
        const work = this.#work(tx, call);
        try {
          const at = await findAll(work, operation.at, params);
          return await faultsBeyond(work, operation, at, call, faults, references);
        } catch (error) {
          // What the path names is not there, or not the caller's: that is told once the rest is right.
          if (error instanceof Refusal) return faults;
          throw error;
        }
      },
      { readOnly: true },
    );
    return invalidRequest(all);
  }

  async #read(call: Passed): Promise<Answer> {
    const { pool, clock } = this.#parts;
    const read = await transaction(
      pool,
      clock,
      { role: 'app', org: call.caller.org.id },
      async (tx): Promise<Answer | (() => Promise<Buffer>)> => {
        const work = this.#work(tx, call);
        const at = await findAll(work, call.operation.at, call.params);
        const mode = modeAt(work.mode, call.operation.at, at);
        const asked = { ...work, mode, at, query: call.query, body: undefined, file: null };
        const etag = call.operation.etag && `"${await call.operation.etag(asked)}"`;
        if (etag !== undefined && matches(call.ifNoneMatch, etag)) {
          return { status: 304, body: Buffer.alloc(0), requestId: call.requestId, headers: { ETag: etag } };
        }
        const body = await call.operation.handle!(asked);
        if (call.operation.produces !== undefined) return body as () => Promise<Buffer>;
        const done = this.#reply(call, body);
        return etag === undefined ? done : { ...done, headers: { ...done.headers, ETag: etag } };
      },
      { readOnly: true },
    );
    if (typeof read !== 'function') return read;
    const headers = { 'Content-Type': call.operation.produces! };
    return { status: 200, body: await read(), requestId: call.requestId, headers };
  }

  /** Twins in this process share one flight: two hundred of them must not hold two hundred connections. */
  async #once(call: Passed, claim: Claim): Promise<Answer> {
    const name = `${claim.actor} ${claim.key}`;
    for (;;) {
      const flight = this.#flights.get(name);
      if (flight === undefined) break;
      if (flight.fingerprint !== claim.fingerprint) throw reused();
      const first = await within(flight.done, TWIN_WAIT_MS);
      if (first === 'late') throw inProgress();
      if (first !== null) return replayed(first);
      // The first one claimed nothing (a refusal before the work, a fault): the next twin may try.
    }
    let land!: (answer: Answer | null) => void;
    this.#flights.set(name, { fingerprint: claim.fingerprint, done: new Promise((resolve) => (land = resolve)) });
    let done: Answer | null = null;
    try {
      done = await this.#write(call);
      return done;
    } finally {
      this.#flights.delete(name);
      land(done);
    }
  }

  async #write(call: Passed): Promise<Answer> {
    const { together, inTurn } = call.operation;
    const ticket: Ticket = { call, asked: undefined, answer: null, error: null, later: null };
    if (call.operation.before !== undefined) {
      const known = await this.#ask(ticket);
      if (known !== null) return known;
    }
    const by = together?.by ?? inTurn;
    if (by === undefined) await this.#batch([ticket], true);
    else await this.#lanes.take(`${call.caller.org.id} ${by(call.params)}`, together ?? ticket, ticket);
    if (ticket.later !== null) await ticket.later;
    if (ticket.answer !== null) return ticket.answer;
    throw ticket.error;
  }

  /**
   * Asks others (a payment provider) what the work needs, and has no transaction open while it waits for them. A retry whose
   * answer is stored asks nobody and gets it here.
   */
  async #ask(ticket: Ticket): Promise<Answer | null> {
    const { pool, clock, secrets } = this.#parts;
    const { call } = ticket;
    const { operation, claim } = call;
    const org = call.caller.org.id;
    // Not a `readOnly` one: its snapshot is older than the wait for a twin, whose answer it would not see.
    type Met = Exclude<Standing, 'mine'> | (() => Promise<unknown>);
    const ask = await transaction(pool, clock, { role: 'app', org }, async (tx): Promise<Met> => {
      const [standing] = await claimed(tx, org, [ticket], secrets, true);
      if (standing !== 'mine') return standing!;
      tx.send(sql`set transaction read only`);
      const work = this.#work(tx, call);
      const retryKey = claim === null ? call.requestId : retryKeyOf(org, claim);
      try {
        const at = await findAll(work, operation.at, call.params);
        const mode = modeAt(work.mode, operation.at, at);
        const { query, body, file } = call;
        return await operation.before!({ ...work, mode, at, query, body, file, retryKey });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return () => Promise.reject(error);
      }
    });
    if (ask === 'busy') throw inProgress();
    if (ask instanceof Refusal) throw ask;
    if (typeof ask !== 'function') return ask;
    try {
      ticket.asked = await ask();
    } catch (error) {
      if (!(error instanceof Refusal) || claim === null || !isKept(error.status)) throw error;
      ticket.asked = error;
    }
    return null;
  }

  async #batch(tickets: Ticket[], waits: boolean): Promise<void> {
    try {
      await this.#commit(tickets, waits);
    } catch (error) {
      if (tickets.length > 1) {
        for (const ticket of tickets) await this.#batch([ticket], waits);
        return;
      }
      await this.#settle(tickets[0]!, error);
    }
  }

  /**
   * The work said no: what it wrote is rolled back, and its answer is kept by a transaction of its own. (A savepoint around
   * every work would cost the many that succeed; a twin that got in between keeps its own answer, and this one repeats it.)
   */
  async #keepRefusal(ticket: Ticket, claim: Claim, refusal: Refusal): Promise<void> {
    const { pool, clock, secrets } = this.#parts;
    const org = ticket.call.caller.org.id;
    const { answer: said } = this.#refused(ticket.call, refusal);
    const met = await transaction(pool, clock, { role: 'app', org }, async (tx) => {
      const [standing] = await standings(tx, org, [claim], secrets, true, ticket.call.operation.together?.kept?.read);
      if (standing === 'mine') keepAnswers(tx, org, [{ claim, answer: said, secret: false, place: null }], secrets);
      return standing!;
    });
    if (met === 'mine') ticket.answer = said;
    else if (met instanceof Refusal || met === 'busy') ticket.error = met === 'busy' ? inProgress() : met;
    else ticket.answer = met;
  }

  /** A commit whose answer was lost stands or not; the stored answer tells which, and then the retry repeats it. */
  async #settle(ticket: Ticket, error: unknown): Promise<void> {
    const { claim } = ticket.call;
    if (error instanceof Unchanged) {
      ticket.answer = this.#reply(ticket.call, error.reply);
      return;
    }
    if (
      error instanceof Refusal &&
      claim !== null &&
      isKept(error.status) &&
      error.code !== 'idempotency_in_progress'
    ) {
      try {
        await this.#keepRefusal(ticket, claim, error);
      } catch (failure) {
        ticket.error = failure;
      }
      return;
    }
    if (!(error instanceof CommitUnknown) || ticket.call.claim === null) {
      ticket.error = error instanceof CommitUnknown ? new Refusal('unavailable', { log: error.message }) : error;
      return;
    }
    try {
      await this.#commit([ticket], true);
    } catch (again) {
      ticket.error = again instanceof CommitUnknown ? new Refusal('unavailable', { log: again.message }) : again;
    }
  }

  async #commit(tickets: Ticket[], waits: boolean): Promise<void> {
    const { operation, claim } = tickets[0]!.call;
    if (tickets.length > 1 || claim === null || operation.handle === undefined)
      return this.#attempt(tickets, waits, false);
    try {
      // Most claims are new: the work travels in the packet of its claim, and sees nothing if the claim is not ours.
      await this.#attempt(tickets, false, true);
    } catch (error) {
      if (!(error instanceof NotMine)) throw error;
      await this.#attempt(tickets, waits, false);
    }
  }

  async #attempt(tickets: Ticket[], waits: boolean, eager: boolean): Promise<void> {
    const { pool, clock, secrets } = this.#parts;
    const operation = tickets[0]!.call.operation;
    const org = tickets[0]!.call.caller.org.id;
    const { outcomes, busy, raised } = await transaction(pool, clock, { role: 'app', org }, async (tx) => {
      const claiming = eager
        ? claimOrBlind(tx, org, tickets[0]!.call.claim!).then((mine): Standing[] => [mine ? 'mine' : 'busy'])
        : claimed(tx, org, tickets, secrets, waits);
      const found = operation.together === undefined ? null : this.#find(tx, tickets);
      const ask = () =>
        operation.together?.read?.(
          tickets.map(({ call }) => ({ ...this.#work(tx, call), params: call.params, body: call.body })),
        );
      const ahead = tickets.every(({ call }) => isUnlimited(call.caller)) ? ask() : undefined;
      ahead?.catch(() => {}); // heard by the work, if there is any
      const reading = () => ahead ?? ask();
      const working = eager ? this.#alone(tx, tickets) : null;
      working?.catch(() => {}); // heard below, once the claim is
      const standing = await claiming;
      if (eager && standing[0] !== 'mine') throw new NotMine();
      const outcomes = new Map<Ticket, Answer | Refusal>();
      const busy: Ticket[] = [];
      const mine: Ticket[] = [];
      for (const [i, ticket] of tickets.entries()) {
        const one = standing[i]!;
        if (one === 'mine') mine.push(ticket);
        else if (one === 'busy') busy.push(ticket);
        else outcomes.set(ticket, one);
      }
      const done = await (working ??
        (operation.together === undefined ? this.#alone(tx, mine) : this.#inCompany(tx, mine, found!, reading)));
      for (const [i, ticket] of mine.entries()) outcomes.set(ticket, done[i]!.answer);
      writeAudit(
        tx,
        org,
        done.flatMap((outcome) => outcome.audit),
      );
      const raised = done.flatMap((outcome) => outcome.raised);
      writeOutbox(tx, org, raised);
      const kept = mine.flatMap((ticket, i) =>
        ticket.call.claim !== null && done[i]!.kept
          ? [
              {
                claim: ticket.call.claim,
                answer: done[i]!.answer,
                secret: operation.secretAnswer ?? false,
                place: done[i]!.place,
              },
            ]
          : [],
      );
      keepAnswers(tx, org, kept, secrets);
      return { outcomes, busy, raised: raised.length };
    });
    for (const [ticket, outcome] of outcomes) {
      if (outcome instanceof Refusal) ticket.error = outcome;
      else ticket.answer = outcome;
    }
    if (raised > 0) this.#parts.wake?.();
    for (const ticket of busy) ticket.later = this.#batch([ticket], true);
  }

  async #alone(tx: Tx, tickets: Ticket[]): Promise<Outcome[]> {
    const ticket = tickets[0];
    if (ticket === undefined) return [];
    const { call } = ticket;
    const { work, audit, raised } = this.#recorder(tx, call);
    const at = await findAll(work, call.operation.at, call.params);
    if (ticket.asked instanceof Refusal) throw ticket.asked;
    const { asked } = ticket;
    const body = await call.operation.handle!({
      ...work,
      mode: modeAt(work.mode, call.operation.at, at),
      at,
      query: call.query,
      body: call.body,
      file: call.file,
      asked,
    });
    if (call.operation.method === 'PATCH' && audit.length > 0 && audit.every(isNothing)) {
      throw new Unchanged(audit.at(-1)!.was);
    }
    return [
      { answer: this.#reply(call, body), audit: complete(audit, call, at, body), raised, kept: true, place: null },
    ];
  }

  /** Calls of one lane mostly name the same event with the same reach: found once a batch, in the packet with the claims. */
  #find(tx: Tx, tickets: Ticket[]): Map<Ticket, Promise<At>> {
    const known = new Map<string, Promise<At>>();
    const found = new Map<Ticket, Promise<At>>();
    for (const ticket of tickets) {
      const { operation, params, caller } = ticket.call;
      const { actor, group, mode } = caller;
      const name = JSON.stringify([params, group?.id, mode, actor.kind === 'device' ? actor.event : null]);
      let finding = known.get(name);
      if (finding === undefined) {
        finding = findAll(this.#work(tx, ticket.call), operation.at, params);
        finding.catch(() => {}); // heard by those who asked, once their claims are
        known.set(name, finding);
      }
      found.set(ticket, finding);
    }
    return found;
  }

  async #inCompany(
    tx: Tx,
    tickets: Ticket[],
    found: Map<Ticket, Promise<At>>,
    reading: () => Promise<unknown> | undefined,
  ): Promise<Outcome[]> {
    const recorders = tickets.map((ticket) => this.#recorder(tx, ticket.call));
    const outcomes: (Outcome | null)[] = tickets.map(() => null);
    const items: {
      index: number;
      call: Work & { at: At; query: unknown; body: unknown; file: Upload | null };
    }[] = [];
    for (const [index, ticket] of tickets.entries()) {
      const { call } = ticket;
      const { work } = recorders[index]!;
      try {
        const at = await found.get(ticket)!;
        const mode = modeAt(work.mode, call.operation.at, at);
        items.push({ index, call: { ...work, mode, at, query: call.query, body: call.body, file: call.file } });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        outcomes[index] = this.#refused(call, error);
      }
    }
    if (items.length > 0) {
      const { handle, kept } = tickets[0]!.call.operation.together!;
      const replies = await handle(items.map((item) => item.call) as never, await reading());
      for (const [i, { index, call: item }] of items.entries()) {
        const { call } = tickets[index]!;
        const reply = replies[i];
        const { audit, raised } = recorders[index]!;
        outcomes[index] =
          reply instanceof Refusal
            ? this.#refused(call, reply)
            : {
                answer: this.#reply(call, reply),
                audit: complete(audit, call, item.at, reply),
                raised,
                kept: true,
                place: kept?.place(item) ?? null,
              };
      }
    }
    return outcomes as Outcome[];
  }

  #refused(call: Passed, refusal: Refusal): Outcome {
    const { status } = refusal;
    return {
      answer: answer(status, refusal.body(call.requestId), call.requestId, refusal.options.headers),
      audit: [],
      raised: [],
      kept: isKept(status),
      place: null,
    };
  }

  #reply(call: Passed, body: unknown): Answer {
    const { operation } = call;
    this.#parts.checkReply?.(operation, body);
    const status = operation.goesOn?.(body) === true ? 202 : (operation.status ?? 200);
    return answer(status, body, call.requestId);
  }

  #recorder(tx: Tx, call: Passed): { work: Work; audit: Change[]; raised: Occurrence[] } {
    const audit: Change[] = [];
    const raised: Occurrence[] = [];
    return { work: this.#work(tx, call, audit, raised), audit, raised };
  }

  #work(
    tx: Tx,
    call: Pick<Passed, 'caller' | 'requestId' | 'client'>,
    audit: Change[] = [],
    raised: Occurrence[] = [],
  ): Work {
    return {
      tx,
      org: call.caller.org.id,
      caller: call.caller,
      mode: call.caller.mode,
      request: { id: call.requestId, client: call.client },
      license: this.#parts.license,
      links: this.#parts.links,
      secrets: this.#parts.secrets,
      outside: this.#parts.outside,
      changed: (change) => audit.push(change),
      raise: (occurrence) => raised.push(occurrence),
    };
  }
}

const matches = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');

/** Sees all of its organization. */
const isUnlimited = ({ actor, group }: Caller): boolean => group === null && actor.kind !== 'device';

/** The claim is a twin's, or has its answer: what was begun for it is rolled back. */
class NotMine extends Error {}

const TWIN_WAIT_MS = 10_000;

/**
 * A PATCH that says what is so already: what its work did (stamps, occurrences, mails) is rolled back, and the answer is the object
 * as it was.
 */
class Unchanged extends Error {
  readonly reply: unknown;
  constructor(reply: unknown) {
    super('nothing changes');
    this.reply = reply;
  }
}

/** Every write leaves a row, also one that told nothing of itself. */
function complete(changes: Change[], call: Passed, at: Record<string, unknown>, body: unknown): AuditRow[] {
  if (call.operation.unaudited === true) return [];
  const action = call.operation.audit!;
  const told =
    changes.length > 0 ? changes : [{ kind: action.split('.')[0]!, id: idOf(Object.values(at).at(-1)) ?? idOf(body) }];
  return told
    .filter((change) => change !== NOTHING)
    .map((change) => ({
      ...change,
      action: change.action ?? action,
      caller: { ...call.caller, mode: modeAt(call.caller.mode, call.operation.at, at) },
      source: SOURCE_OF[call.caller.actor.kind],
      client: call.client,
      requestId: call.requestId,
    }));
}

const idOf = (object: unknown): Id | null => {
  const id = (object as { id?: unknown } | undefined)?.id;
  return typeof id === 'string' && id.length === 36 ? id : null;
};

async function claimed(tx: Tx, org: Id, tickets: Ticket[], secrets: Secrets, waits: boolean): Promise<Standing[]> {
  const claims = tickets.flatMap(({ call }) => (call.claim === null ? [] : [call.claim]));
  const readKept = tickets[0]?.call.operation.together?.kept?.read;
  const met = await standings(tx, org, claims, secrets, waits, readKept);
  let next = 0;
  return tickets.map(({ call }) => (call.claim === null ? 'mine' : met[next++]!));
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
