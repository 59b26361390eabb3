import Type from 'typebox';
import { Nullable, OneOf, Stamps, Timestamp, Ulid } from '../formats.ts';
import { ACTOR_KINDS } from './audit.ts';

export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

const link = (what: string) =>
  Nullable(Type.String({ description: `Link to download ${what}. It needs no key and works until \`expires_at\`.` }));

/** How many columns a job shows at most, and how many characters of a heading. A file has up to 1,000 columns. */
export const JOB_COLUMNS_SHOWN = 100;
export const JOB_HEADING_SHOWN = 100;

export const IMPORT_COLUMN_USES = ['field', 'question', 'answer', 'ignored'] as const;
export type ImportColumnUse = (typeof IMPORT_COLUMN_USES)[number];

export const ImportColumn = Type.Object(
  {
    heading: Type.String({ description: `As in the file, cut after ${JOB_HEADING_SHOWN} characters.` }),
    became: Type.String({
      description:
        '`field`: a field of the attendee. `question`: the answer to a question of the event. `answer`: kept as an answer under the heading. `ignored`: not read. Others may be added.',
      examples: [...IMPORT_COLUMN_USES],
    }),
    field: Nullable(
      Type.String({
        description:
          'The name of the field, the code of the question or the key of the answer. Null if the column is ignored.',
        examples: ['email'],
      }),
    ),
    why: Nullable(Type.String({ description: 'Why the column is ignored, for people.' })),
  },
  { title: 'ImportColumn' },
);
export type ImportColumn = Type.Static<typeof ImportColumn>;

export const Job = Type.Object({
  id: Ulid('The job.'),
  kind: Type.String({ description: 'What the job does. New kinds may be added.', examples: ['import'] }),
  status: OneOf(JOB_STATUSES, {
    description:
      'A small job is `succeeded` in the answer to the request that started it. If a job is `cancelled` or `failed`, what it had done before remains.',
  }),
  test: Type.Boolean({ description: 'Whether it was started with a test key.' }),
  event_id: Nullable(Type.String({ description: 'The event that the job works on or has created.' })),
  group: Nullable(
    Type.String({ description: 'Code of the group that the job is limited to. Null: the whole organization.' }),
  ),
  actor: Type.Object(
    { kind: OneOf(ACTOR_KINDS), id: Nullable(Type.String()), name: Type.String() },
    { description: 'Who started the job.' },
  ),
  preview: Nullable(
    Type.Boolean({
      description: 'For an import: whether it only shows what it would do. Null for other kinds.',
      examples: [false],
    }),
  ),
  what: Nullable(
    Type.String({
      description: 'What an export contains, or what a bulk action does. Null for other kinds.',
      examples: ['people'],
    }),
  ),
  format: Nullable(Type.String({ description: 'The format of an export. Null for other kinds.', examples: ['csv'] })),
  columns: Nullable(
    Type.Array(Type.Union([ImportColumn, Type.String()]), {
      description: `For an import: each column of the file and what it was used for. For an export: the names of its columns, as \`POST /exports\` accepts them. At most the first ${JOB_COLUMNS_SHOWN}. Null for other kinds, and for jobs of an earlier release.`,
      examples: [
        [
          { heading: 'E-Mail', became: 'field', field: 'email', why: null },
          { heading: 'Company', became: 'answer', field: 'Company', why: null },
        ],
      ],
    }),
  ),
  columns_total: Nullable(Type.Integer({ description: 'How many columns there are. Null if `columns` is null.' })),
  progress: Type.Object({
    done: Type.Integer(),
    total: Nullable(Type.Integer({ description: 'Null if it is not known yet.' })),
  }),
  counts: Type.Record(Type.String(), Type.Integer(), {
    description:
      'The result so far. Imports count the rows that were `created`, `updated`, `unchanged` and `rejected`, and `tickets_issued` and `tickets_voided`. Exports count `rows`.',
    examples: [{ created: 480, updated: 17, unchanged: 2, rejected: 1, tickets_issued: 480, tickets_voided: 3 }],
  }),
  result_url: link('the result'),
  rejects_url: link('the rows that were rejected, each with the reason'),
  expires_at: Nullable(Timestamp('When the links stop working: one day after the job has finished.')),
  error: Nullable(Type.String({ description: 'Why the job failed, for people.' })),
  started_at: Nullable(Timestamp()),
  finished_at: Nullable(Timestamp()),
  ...Stamps,
});
export type Job = Type.Static<typeof Job>;
