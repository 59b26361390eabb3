import { Body, JOB_STATUSES, Job, OneOf, Page, PageQuery, Ref } from '@turnout/contract';
import Type from 'typebox';
import { type JobRow, jobShape } from '../../road/for-areas/start-job.ts';
import { operation } from '../../road/operation.ts';
import { newestFirst } from '../../road/read/page.ts';
import { inBody } from '../../road/request/reference.ts';
import { every, filters, sql } from '../../store/sql.ts';
import { anEvent } from '../events/index.ts';
import { cancelJob } from './cancel.ts';
import { aJob, visibleJobs } from './queries.ts';

const common = { tag: 'Jobs' } as const;

export const operations = [
  operation({
    ...common,
    id: 'listJobs',
    method: 'GET',
    path: '/jobs',
    scope: 'read',
    entitlement: 'api_read',
    member: 'people.read',
    at: {},
    query: Body({
      ...PageQuery,
      status: Type.Optional(OneOf(JOB_STATUSES)),
      kind: Type.Optional(Type.String({ maxLength: 60, examples: ['import'] })),
      event: Type.Optional(Ref('event', 'Only jobs of this event.')),
    }),
    reply: Page(Job),
    refusals: [],
    summary: 'List jobs',
    description: 'Newest first. Jobs are kept for a year.',
    handle: async (call) => {
      const { tx, query } = call;
      const event = query.event === undefined ? null : await inBody(call, anEvent, query.event, 'event', {});
      const list = newestFirst(['jobs', query.status, query.kind, event?.id], query);
      const conditions = every([
        list.where,
        filters([
          query.status !== undefined && sql`j.status = ${query.status}`,
          query.kind !== undefined && sql`j.kind = ${query.kind}`,
          event !== null && sql`j.event_id = ${event.id}`,
        ]),
      ]);
      const now = tx.clock.now();
      const rows = await tx.all<JobRow>(sql`${visibleJobs(call, conditions)} ${list.order}`);
      return list.page(rows, (row) => jobShape(row, call, now));
    },
  }),
  operation({
    ...common,
    id: 'getJob',
    method: 'GET',
    path: '/jobs/{job}',
    scope: 'read',
    entitlement: 'api_read',
    member: 'people.read',
    at: { job: aJob },
    reply: Job,
    refusals: ['not_found'],
    summary: 'Get a job, its progress and its files',
    handle: async (call) => jobShape(call.at.job, call, call.tx.clock.now()),
  }),
  operation({
    ...common,
    id: 'cancelJob',
    method: 'POST',
    path: '/jobs/{job}/cancel',
    scope: 'write',
    entitlement: 'api_write',
    member: 'people.read',
    audit: 'job.cancelled',
    at: { job: aJob },
    reply: Job,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    summary: 'Cancel a job',
    description:
      'After this answer the job does nothing more. What it did before is kept; its counts tell how much that is.',
    handle: (call) => cancelJob(call, call.at.job),
  }),
];
