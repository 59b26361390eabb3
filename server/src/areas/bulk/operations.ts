import { Body, BulkFields, Job } from '@turnout/contract';
import Type from 'typebox';
import { operation } from '../../road/operation.ts';
import { anEvent } from '../events/index.ts';
import { BulkFilter } from './lists.ts';
import { type BulkBody, bodyFaults, startBulk } from './start.ts';

export const operations = [
  operation({
    id: 'startBulkAction',
    method: 'POST',
    path: '/events/{event}/bulk',
    scope: 'write',
    entitlement: 'api_write',
    member: 'people.bulk',
    audit: 'bulk.started',
    at: { event: anEvent },
    body: Body({ ...BulkFields, filter: Type.Optional(BulkFilter) }),
    rules: [{ of: ['action', 'ids', 'filter', 'change'], faults: ({ body }) => bodyFaults(body as BulkBody) }],
    // Of registrations or of attendees, by the action.
    refers: { ids: null },
    reply: Job,
    status: 202,
    refusals: ['not_found', 'too_many_jobs'],
    tag: 'Bulk actions',
    summary: 'Do something to many registrations or people',
    description:
      'A job: each of them is done as the operation for one would do it, with the same rules, mails, webhooks and audit rows. What is refused leaves the others alone and is in the file behind `rejects_url`, with its reason. Whom it is about is fixed when the job starts. Counts: `done`, `unchanged` (a change that changed nothing), `failed`. `send_tickets` and `reissue` are done once for each valid ticket, however many of the people share it.',
    handle: (call) => startBulk(call, call.at.event, call.body as BulkBody),
  }),
];
