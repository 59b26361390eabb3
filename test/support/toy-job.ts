import { Body, Job } from '@turnout/contract';
import Type from 'typebox';
import { type Id, newId } from '../../server/src/common/ids.ts';
import { JobFailure, job } from '../../server/src/road/for-areas/job.ts';
import { startJob } from '../../server/src/road/for-areas/start-job.ts';
import { operation } from '../../server/src/road/operation.ts';
import { sql } from '../../server/src/store/sql.ts';
import type { Tx } from '../../server/src/store/tx.ts';

/**
 * A job for tests: it writes numbered notes, two in each step, and then a file that says how many. Each note is a row, so that a
 * test can check that everything was done once.
 */
export interface ToyInput {
  name: string;
  notes: number;
  /** Commits the notes before the progress, which a job must not do. Used to show that it matters. */
  apart?: boolean;
  fail?: 'words' | 'fault' | 'connection';
  file?: boolean;
  /** Keeps its progress in memory, as an export does: after an interruption it starts over. */
  stateless?: boolean;
}
const PER_STEP = 2;

/** With these, tests hold up a job or end its process. They are called after notes were written and after they were committed. */
type Hook = (at: number, signal: AbortSignal) => unknown;
export const toyHooks: { inStep: Hook; afterStep: Hook } = { inStep: () => {}, afterStep: () => {} };

async function writeNotes(tx: Tx, org: Id, name: string, from: number, to: number): Promise<void> {
  const now = tx.clock.now();
  for (let i = from; i < to; i += 1) {
    await tx.run(sql`
      insert into mails (org_id, id, kind, recipient, subject, text, status, next_attempt_at, created_at)
      values (${org}, ${newId(now)}, 'note', 'nobody', ${name}, ${String(i)}, 'sent', ${now}, ${now})`);
  }
}

async function* fileOf(text: string) {
  yield Buffer.from(text.slice(0, 3));
  yield Buffer.from(text.slice(3));
}

export const toyJob = job<ToyInput, { next: number }>({
  kind: 'toy',
  run: async (run) => {
    const { name, notes, apart, fail, file, stateless } = run.input;
    let next = 0;
    const stands = () => (stateless === true ? next : (run.state?.next ?? 0));
    while (stands() < notes) {
      const from = stands();
      const to = Math.min(notes, from + PER_STEP);
      if (fail !== undefined && from >= notes / 2) await failing(fail);
      if (apart === true) {
        await run.step(async (tx) => {
          await writeNotes(tx, run.org, name, from, to);
          return {};
        });
        await toyHooks.inStep(from, run.signal);
      }
      await run.step(async (tx) => {
        if (apart !== true) {
          await writeNotes(tx, run.org, name, from, to);
          await toyHooks.inStep(from, run.signal);
        }
        run.audit(tx, 'toy.noted', [{ kind: 'note', id: null, changes: { from, to } }]);
        return { ...(stateless !== true && { state: { next: to } }), done: to, total: notes, counts: { written: to } };
      });
      next = to;
      await toyHooks.afterStep(from, run.signal);
    }
    if (file !== true) return;
    const text = `${notes} notes`;
    return {
      result: await run.write(`Notizen "${name}" für alle.txt`, 'text/plain; charset=utf-8', fileOf(text)),
      rejects: await run.write('rejects.txt', 'text/plain; charset=utf-8', fileOf('none')),
    };
  },
});

async function failing(how: NonNullable<ToyInput['fail']>): Promise<void> {
  if (how === 'words') throw new JobFailure('The notes ran out.', new Error('only the log sees this'));
  if (how === 'connection')
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
  throw new Error('a fault on purpose');
}

export const startToy = operation({
  id: 'startToy',
  method: 'POST',
  path: '/toys',
  scope: 'write',
  entitlement: 'api_write',
  member: null,
  audit: 'toy.started',
  at: {},
  body: Body({
    name: Type.String(),
    notes: Type.Integer(),
    apart: Type.Optional(Type.Boolean()),
    fail: Type.Optional(Type.String()),
    file: Type.Optional(Type.Boolean()),
    stateless: Type.Optional(Type.Boolean()),
  }),
  reply: Job,
  status: 202,
  refusals: [],
  tag: 'Toys',
  summary: 'Write notes in the background',
  handle: (call) => startJob(call, toyJob, { input: call.body as ToyInput, total: call.body.notes }),
});

/** The numbers that were written, in order. */
export const notesOf = (t: import('./turnout.ts').TestTurnout, name: string): Promise<number[]> =>
  t.system(async (tx) =>
    (await tx.all<{ text: string }>(sql`select text from mails where subject = ${name} order by text::int`)).map(
      (row) => Number(row.text),
    ),
  );
