/**
 * What a transaction is for. The kind decides how long each of its statements may take and which connections it may use
 * (docs/decisions/0045-limits-of-statements.md).
 *
 *   lookup   What every call needs before it is known what it may do, and what must never wait: short statements.
 *   scan     Scans, and whatever else a gate writes.
 *   read     Reads of the API and of the pages.
 *   write    Writes of the API and of the pages.
 *   job      Work that nobody waits for: jobs, schedules, deliveries, and the operator's command line.
 */
export type Kind = 'lookup' | 'scan' | 'read' | 'write' | 'job';

/** How long a statement of each kind may take, in milliseconds. Tests lower it. */
export const statementLimits: Record<Kind, number> = {
  lookup: 5_000,
  scan: 10_000,
  read: 5_000,
  write: 10_000,
  job: 600_000,
};

/**
 * How long the answer to a statement is waited for. PostgreSQL stops a statement at its limit; one that does not answer even then is
 * frozen or cut off, so its connection is given up.
 */
export const answerLimit = (kind: Kind): number => statementLimits[kind] + answerGrace.ms;

/** How much longer than its limit a statement is waited for. Tests lower it. */
export const answerGrace = { ms: 5_000 };

/** Kinds that take a place before they take a connection. Lookups do not: enough connections are kept for them. */
export type PlacedKind = Exclude<Kind, 'lookup'>;

/** A statement was stopped because it took longer than its kind allows. The transaction was rolled back. */
export class TookTooLong extends Error {
  readonly kind: Kind;
  constructor(kind: Kind, cause: unknown) {
    super(`a statement of the kind ${kind} took longer than ${statementLimits[kind]} ms`, { cause });
    this.kind = kind;
  }
}

/** No connection became free in time for this kind of work. Nothing was begun. */
export class Busy extends Error {
  readonly kind: Kind;
  constructor(kind: Kind) {
    super(`no place became free for a transaction of the kind ${kind}`);
    this.kind = kind;
  }
}

/** Nobody waits for the answer any more, so the work was not begun or was stopped. */
export class CallerGone extends Error {
  constructor() {
    super('the caller has hung up');
  }
}
