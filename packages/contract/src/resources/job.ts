import Type from 'typebox';
import { Nullable, OneOf, Stamps, Timestamp, Ulid } from '../formats.ts';
import { ACTOR_KINDS } from './audit.ts';

export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

const link = (what: string) =>
  Nullable(Type.String({ description: `Download ${what}. The link needs no key and works until \`expires_at\`.` }));

export const Job = Type.Object({
  id: Ulid('The job.'),
  kind: Type.String({ description: 'What it does. New kinds may appear.', examples: ['import'] }),
  status: OneOf(JOB_STATUSES, {
    description:
      'A small job has `succeeded` in the answer that made it. `cancelled` and `failed` keep what was done before.',
  }),
  test: Type.Boolean({ description: 'Started with a test key.' }),
  event_id: Nullable(Type.String({ description: 'The event it works on, or has made.' })),
  group: Nullable(Type.String({ description: 'Code of the group it is limited to; null: the whole organization.' })),
  actor: Type.Object(
    { kind: OneOf(ACTOR_KINDS), id: Nullable(Type.String()), name: Type.String() },
    { description: 'Who started it.' },
  ),
  progress: Type.Object({
    done: Type.Integer(),
    total: Nullable(Type.Integer({ description: 'Null: not known yet.' })),
  }),
  counts: Type.Record(Type.String(), Type.Integer(), {
    description: 'What came of it so far, by the words of its kind.',
    examples: [{ created: 480, updated: 17, unchanged: 2, rejected: 1 }],
  }),
  result_url: link('what it made'),
  rejects_url: link('the rows that could not be taken, each with its reason'),
  expires_at: Nullable(Timestamp('When its links stop working: one day after it finished.')),
  error: Nullable(Type.String({ description: 'Why it failed, for people.' })),
  started_at: Nullable(Timestamp()),
  finished_at: Nullable(Timestamp()),
  ...Stamps,
});
export type Job = Type.Static<typeof Job>;
