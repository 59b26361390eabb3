import Type from 'typebox';
import { Nullable, OneOf, Stamps, Timestamp, Ulid } from '../formats.ts';
import { ACTOR_KINDS } from './audit.ts';

export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

const link = (what: string) =>
  Nullable(Type.String({ description: `Download ${what}. The link needs no key and works until \`expires_at\`.` }));

/** How many columns a job shows, and how much of a heading; a file has up to 1,000 of them. */
export const JOB_COLUMNS_SHOWN = 100;
export const JOB_HEADING_SHOWN = 100;

export const IMPORT_COLUMN_USES = ['field', 'question', 'answer', 'ignored'] as const;
export type ImportColumnUse = (typeof IMPORT_COLUMN_USES)[number];

export const ImportColumn = Type.Object(
  {
    heading: Type.String({ description: `As in the file; a long one is cut after ${JOB_HEADING_SHOWN} characters.` }),
    became: Type.String({
      description:
        '`field`: of the attendee. `question`: the answer to a question of the event. `answer`: kept as an answer under its heading. `ignored`: not read. Others may appear.',
      examples: [...IMPORT_COLUMN_USES],
    }),
    field: Nullable(
      Type.String({
        description: 'Which field, the code of the question, or the key of the answer; null where it is ignored.',
        examples: ['email'],
      }),
    ),
    why: Nullable(Type.String({ description: 'Why it is ignored, for people.' })),
  },
  { title: 'ImportColumn' },
);
export type ImportColumn = Type.Static<typeof ImportColumn>;

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
  preview: Nullable(
    Type.Boolean({
      description: 'Of an import: whether it only tells what it would do. Null for every other kind.',
      examples: [false],
    }),
  ),
  what: Nullable(
    Type.String({
      description: 'What an export exports, or what a bulk action does. Null for every other kind.',
      examples: ['people'],
    }),
  ),
  format: Nullable(
    Type.String({ description: 'The format of an export. Null for every other kind.', examples: ['csv'] }),
  ),
  columns: Nullable(
    Type.Array(Type.Union([ImportColumn, Type.String()]), {
      description: `Of an import: each column of the file and what became of it. Of an export: the names of its columns, as \`POST /exports\` takes them. At most the first ${JOB_COLUMNS_SHOWN}. Null for every other kind, and where it is not known (jobs of an earlier release).`,
      examples: [
        [
          { heading: 'E-Mail', became: 'field', field: 'email', why: null },
          { heading: 'Company', became: 'answer', field: 'Company', why: null },
        ],
      ],
    }),
  ),
  columns_total: Nullable(Type.Integer({ description: 'How many columns there are. Null where `columns` is.' })),
  progress: Type.Object({
    done: Type.Integer(),
    total: Nullable(Type.Integer({ description: 'Null: not known yet.' })),
  }),
  counts: Type.Record(Type.String(), Type.Integer(), {
    description:
      'What came of it so far, by the words of its kind. Imports: rows `created`, `updated`, `unchanged` and `rejected`, and `tickets_issued` and `tickets_voided`. Exports: `rows`.',
    examples: [{ created: 480, updated: 17, unchanged: 2, rejected: 1, tickets_issued: 480, tickets_voided: 3 }],
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
