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
    // The ids are of registrations or of attendees, depending on the action.
    refers: { ids: null },
    reply: Job,
    status: 202,
    refusals: ['not_found', 'too_many_jobs'],
    tag: 'Bulk actions',
    summary: 'Act on many registrations or attendees',
    description:
      'Starts a job that acts on each item as the operation for a single one does, with the same rules, mails, webhooks and audit rows. An item that is refused does not stop the others; it is in the file behind `rejects_url`, with the reason. The items are fixed when the job starts. Counts: `done`, `unchanged` (the change made no difference), `failed`. `send_tickets` and `reissue` act once on each valid ticket, however many attendees share it.',
    handle: (call) => startBulk(call, call.at.event, call.body as BulkBody),
  }),
];
