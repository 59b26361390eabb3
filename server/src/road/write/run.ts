import type { Id } from '../../common/ids.ts';
import { Refusal } from '../../common/refusal.ts';
import type { Tx } from '../../store/tx.ts';
import type { Caller } from '../caller.ts';
import type { Change, Upload, Work } from '../operation.ts';
import { findAll, modeAt } from '../request/reference.ts';
import { isNothing, NOTHING } from './audited.ts';
import { requireMatch } from './if-match.ts';
import type { CheckedCall, PendingCall } from './pending.ts';
import { type AuditRow, SOURCE_OF } from './record.ts';
import { type At, type Outcome, type RoadParts, recordedWork, refusedOutcome, replyTo, workOf } from './work.ts';

/**
 * Thrown when a PATCH sets only values that are there already. Everything its work did (stamps, occurrences, mails) is rolled
 * back, and the answer is the object as it was.
 */
export class Unchanged extends Error {
  readonly reply: unknown;
  constructor(reply: unknown) {
    super('nothing changes');
    this.reply = reply;
  }
}

/** Runs the work of one call. `batch` holds that call, or nothing if another process has done it. */
export async function runAlone(parts: RoadParts, tx: Tx, batch: readonly PendingCall[]): Promise<Outcome[]> {
  const pending = batch[0];
  if (pending === undefined) return [];
  const { call, beforeResult } = pending;
  const { operation } = call;
  const { work, audit, raised } = recordedWork(parts, tx, call);
  const at = await findAll(work, operation, call.params);
  if (beforeResult instanceof Refusal) throw beforeResult;
  const mode = modeAt(work.mode, operation.at, at);
  const { query, body, file } = call;
  if (call.ifMatch !== undefined && operation.shownBy !== undefined)
    await requireMatch(call.ifMatch, operation, { ...work, mode, at, query, body, file }, call.params);
  const reply = await operation.handle!({ ...work, mode, at, query, body, file, beforeResult });
  if (operation.method === 'PATCH' && audit.length > 0 && audit.every(isNothing)) {
    throw new Unchanged(audit.at(-1)!.was);
  }
  const answer = replyTo(parts, call, reply);
  return [{ answer, audit: auditRows(audit, call, at, reply), raised, isStored: true, place: null }];
}

/** What was sent ahead for calls that share a transaction, while their claims were still on the way. */
export interface Prepared {
  found: Map<PendingCall, Promise<At>>;
  /** What the operation's `together.read` has read, or starts to read now. */
  read: () => Promise<unknown> | undefined;
}

/** Sends the reads that need no claim before the server knows which calls it has to do, so that they travel in the packet of the claims. */
export function prepareTogether(parts: RoadParts, tx: Tx, batch: readonly PendingCall[]): Prepared {
  const found = findPaths(parts, tx, batch);
  const read = () =>
    batch[0]!.call.operation.together!.read?.(
      batch.map(({ call }) => ({ ...workOf(parts, tx, call), params: call.params, body: call.body })),
    );
  const sent = batch.every(({ call }) => seesWholeOrganization(call.caller)) ? read() : undefined;
  sent?.catch(() => {}); // handled by the work, if there is any to do
  return { found, read: () => sent ?? read() };
}

const seesWholeOrganization = ({ actor, group }: Caller): boolean => group === null && actor.kind !== 'device';

/** The calls of a lane mostly name the same event and have the same reach. Each different path is looked up once per batch. */
function findPaths(parts: RoadParts, tx: Tx, batch: readonly PendingCall[]): Map<PendingCall, Promise<At>> {
  const lookups = new Map<string, Promise<At>>();
  const found = new Map<PendingCall, Promise<At>>();
  for (const pending of batch) {
    const { operation, params, caller } = pending.call;
    const { actor, group, mode } = caller;
    const name = JSON.stringify([params, group?.id, mode, actor.kind, actor.kind === 'device' ? actor.event : null]);
    let lookup = lookups.get(name);
    if (lookup === undefined) {
      lookup = findAll(workOf(parts, tx, pending.call), operation, params);
      lookup.catch(() => {}); // handled in `runTogether`, once the claims are known
      lookups.set(name, lookup);
    }
    found.set(pending, lookup);
  }
  return found;
}

/**
 * Runs the work of several calls in one transaction. A refused call has its own outcome; an error that is thrown fails them all.
 */
export async function runTogether(
  parts: RoadParts,
  tx: Tx,
  batch: readonly PendingCall[],
  { found, read }: Prepared,
): Promise<Outcome[]> {
  const records = batch.map(({ call }) => recordedWork(parts, tx, call));
  const outcomes: (Outcome | null)[] = batch.map(() => null);
  const items: { index: number; call: Work & { at: At; query: unknown; body: unknown; file: Upload | null } }[] = [];
  for (const [index, pending] of batch.entries()) {
    const { call } = pending;
    const { work } = records[index]!;
    try {
      const at = await found.get(pending)!;
      const mode = modeAt(work.mode, call.operation.at, at);
      items.push({ index, call: { ...work, mode, at, query: call.query, body: call.body, file: call.file } });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcomes[index] = refusedOutcome(call, error);
    }
  }
  if (items.length === 0) return outcomes as Outcome[];
  const { handle, answerStore } = batch[0]!.call.operation.together!;
  const replies = await handle(items.map((item) => item.call) as never, await read());
  for (const [i, { index, call: item }] of items.entries()) {
    const { call } = batch[index]!;
    const { audit, raised } = records[index]!;
    const reply = replies[i];
    if (reply instanceof Refusal) outcomes[index] = refusedOutcome(call, reply);
    else {
      const answer = replyTo(parts, call, reply);
      const place = answerStore?.place(item) ?? null;
      outcomes[index] = { answer, audit: auditRows(audit, call, item.at, reply), raised, isStored: true, place };
    }
  }
  return outcomes as Outcome[];
}

/** Every write leaves at least one row in the audit log. If the work reported no change, the row names the object of the path. */
function auditRows(changes: readonly Change[], call: CheckedCall, at: At, reply: unknown): AuditRow[] {
  const { operation, caller } = call;
  if (operation.unaudited === true) return [];
  const action = operation.audit!;
  const byDefault = () => ({ kind: action.split('.')[0]!, id: idOf(Object.values(at).at(-1)) ?? idOf(reply) });
  const reported: readonly Change[] = changes.length > 0 ? changes : [byDefault()];
  return reported
    .filter((change) => change !== NOTHING)
    .map((change) => ({
      ...change,
      action: change.action ?? action,
      caller: { actor: change.by ?? caller.actor, mode: modeAt(caller.mode, operation.at, at) },
      source: SOURCE_OF[caller.actor.kind],
      client: call.client,
      requestId: call.requestId,
    }));
}

const idOf = (object: unknown): Id | null => {
  const id = (object as { id?: unknown } | undefined)?.id;
  return typeof id === 'string' && id.length === 36 ? id : null;
};
