import { ExportCreate, IMPORT_FILE_LIMIT, ImportCreate, ImportQuery, Job } from '@turnout/contract';
import { operation } from '../../road/operation.ts';
import { anEvent } from '../events/index.ts';
import { exportFaults, makeExport, prepareExport } from './export.ts';
import { prepareImport, runImport } from './import.ts';

export const operations = [
  operation({
    id: 'importPeople',
    method: 'POST',
    path: '/events/{event}/imports',
    scope: 'write',
    entitlement: 'api_write',
    member: 'people.write',
    audit: 'people.imported',
    at: { event: anEvent },
    inTurn: (params) => params.event!.toLowerCase(),
    query: ImportQuery,
    body: ImportCreate,
    file: { field: 'csv', mediaType: 'text/csv', limit: IMPORT_FILE_LIMIT },
    // The same file in JSON is longer by what has to be escaped.
    bodyLimit: IMPORT_FILE_LIMIT * 1.5,
    reply: Job,
    status: 201,
    continuesInBackground: (job) => job.status !== 'succeeded',
    refusals: ['not_found', 'invalid_state', 'too_many_jobs', 'storage_full'],
    tag: 'Imports',
    summary: 'Import people from a CSV file',
    description:
      'Columns are known by their headings; one that matches nothing is kept as an answer. Rows are matched by ID, then e-mail and name, then phone and name: a match is changed in place and keeps its tickets, everybody else is added, confirmed and with tickets. Rows that cannot be placed are in the file behind `rejects_url`, each with its reason. Up to 500 rows: 201, and all is done. More: 202, it goes on in the background and needs `background_imports` (Starter).',
    before: (call) => prepareImport(call),
    handle: (call) => runImport(call, call.asked),
  }),
  operation({
    id: 'createExport',
    method: 'POST',
    path: '/exports',
    scope: 'write',
    entitlement: 'api_write',
    member: 'people.read',
    audit: 'export.created',
    whenReadOnly: 'allowed',
    at: {},
    body: ExportCreate,
    rules: [{ of: ['what'], faults: ({ body }) => exportFaults(body) }],
    reply: Job,
    status: 201,
    continuesInBackground: (job) => job.status !== 'succeeded',
    refusals: ['invalid_state', 'too_many_jobs', 'storage_full'],
    tag: 'Exports',
    summary: 'Export registrations, people, tickets, check-ins or payments',
    description:
      'As CSV or Excel, times in the event’s timezone. Up to 2,000 rows: 201, and `result_url` works at once. More: 202, and the file is built in the background; see `GET /jobs/{job}`. Links work for one day. A live key’s files hold nothing that was made in test mode; a test key’s hold what its lists show.',
    before: (call) => prepareExport(call),
    handle: (call) => makeExport(call, call.asked),
  }),
];
