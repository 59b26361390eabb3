import { ExportCreate, IMPORT_FILE_LIMIT, ImportCreate, ImportQuery, Job } from '@turnout/contract';
import { operation } from '../../road/operation.ts';
import { anEvent } from '../events/index.ts';
import { exportFaults, makeExport, prepareExport } from './export.ts';
import { prepareImport, runImport } from './import.ts';
import { importRules } from './import-options.ts';

export const operations = [
  operation({
    id: 'importPeople',
    method: 'POST',
    path: '/events/{event}/imports',
    scope: 'write',
    entitlement: 'api_write',
    member: 'people.bulk',
    audit: 'people.imported',
    at: { event: anEvent },
    inTurn: (params) => params.event!.toLowerCase(),
    query: ImportQuery,
    body: ImportCreate,
    rules: importRules,
    file: { field: 'csv', mediaTypes: ['text/csv'], limit: IMPORT_FILE_LIMIT },
    // In JSON the same file is longer, because characters have to be escaped.
    bodyLimit: IMPORT_FILE_LIMIT * 1.5,
    reply: Job,
    status: 201,
    continuesInBackground: (job) => job.status !== 'succeeded',
    refusals: ['not_found', 'invalid_state', 'too_many_jobs', 'storage_full'],
    tag: 'Imports',
    summary: 'Import people from a CSV file',
    description:
      'Columns are recognized by their headings; a column that matches no field and no question is kept as an answer. Rows are matched by ID, then by e-mail and name, then by phone and name. An attendee that matches is changed in place and keeps their tickets; every other row adds an attendee who is confirmed and gets tickets. Rows that cannot be imported are in the file at `rejects_url`, each with its reason. Up to 500 rows are imported at once (201). Larger files are imported in the background (202), which needs the entitlement `background_imports` (Starter plan).',
    before: (call) => prepareImport(call),
    handle: (call) => runImport(call, call.beforeResult),
  }),
  operation({
    id: 'createExport',
    method: 'POST',
    path: '/exports',
    scope: 'write',
    entitlement: 'api_write',
    member: 'people.export',
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
    summary: 'Export registrations, people, tickets, check-ins, payments or reports',
    description:
      'Writes a CSV or Excel file with times in the event’s timezone. Up to 2,000 rows are written at once (201), and `result_url` can be used immediately. Larger files are written in the background (202); see `GET /jobs/{job}`. Links work for one day. The files of a live key contain nothing that was created in test mode; the files of a test key contain the same rows as its lists.',
    before: (call) => prepareExport(call),
    handle: (call) => makeExport(call, call.beforeResult),
  }),
];
