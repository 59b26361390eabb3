import { BatchScan, Body, MAX_BATCH } from '@turnout/contract';
import Type, { type TSchema } from 'typebox';
import { operations } from '../server/src/areas/index.ts';
import { BAD_FILES, BAD_FORMS, FORM } from '../test/support/abuse/files.ts';
import type { Fill } from '../test/support/abuse/json.ts';
import { RECORD_KEYS, WANTED } from '../test/support/abuse/largest.ts';
import { SHAPES_OF, type Shape, shapesOf, shapesOfAll } from '../test/support/abuse/shapes.ts';
import { TEMPLATE } from '../test/support/matrix/fixtures.ts';
import { type BenchTurnout, call } from './turnout.ts';

/** One of the most exposed operations, and the bodies that are sent to it. */
export interface Case {
  name: string;
  method: 'POST' | 'PATCH';
  path: string;
  contentType: string;
  /** The largest body that the operation takes, in bytes. */
  limit: number;
  shapes: Shape[];
}

const BODY_LIMIT = 1_048_576;
const declared = (id: string) => operations.find((op) => op.id === id)!;

interface Made {
  id: string;
  attendees: { id: string }[];
}

/** Makes an event with everything that the bodies refer to; returns the cases on it. */
export async function casesOn({ url }: BenchTurnout, key: string): Promise<Case[]> {
  const make = (path: string, body?: unknown) => call<Made>(url, key, 'POST', `/v1${path}`, body);
  await make('/events', { code: 'abuse', name: 'Abuse' });
  await make('/events/abuse/days', { code: 'd1', date: '2099-05-01' });
  await make('/events/abuse/attendee-types', { code: 'adult', name: 'Adult' });
  await make('/events/abuse/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  for (let i = 0; i < RECORD_KEYS; i += 1) {
    await make('/events/abuse/questions', { code: `k${i}`, label: `Question ${i}`, kind: 'long_text' });
  }
  await make('/events/abuse/publish');
  const person = { attendee_type: 'adult', first_name: 'Ada', last_name: 'Byron', days: ['d1'] };
  const { attendees } = await make('/events/abuse/registrations', { attendees: [person], send_emails: false });
  const { id: letter } = await make('/events/abuse/communications', { subject: 'Hello', text: 'Hello' });

  const json = (
    name: string,
    id: string,
    path: string,
    valid: unknown,
    schema: TSchema = declared(id).body!,
  ): Case => ({
    name,
    method: declared(id).method as 'POST',
    path,
    contentType: 'application/json',
    limit: declared(id).bodyLimit ?? BODY_LIMIT,
    shapes: [...shapesOfAll(valid), ...shapesOf(schema, valid, WANTED[id]), ...(SHAPES_OF[id] ?? [])],
  });
  const imports = declared('importPeople');
  const file = (name: string, contentType: string, shapes: readonly { name: string; fill: Fill }[]): Case => ({
    name,
    method: 'POST',
    path: '/v1/events/abuse/imports?preview=true',
    contentType,
    limit: imports.file!.limit,
    shapes: shapes.map((shape) => ({ ...shape, kind: shape.name })),
  });
  const scan = { code: 'X', check_in_point: 'gate', client_uuid: '0b54a1f2-6f3c-4d52-9a1e-5c2f6f1f7a10' };
  const batch = Body({ scans: Type.Array(BatchScan, { maxItems: MAX_BATCH }) });
  return [
    json('register', 'createRegistration', '/v1/events/abuse/registrations', { attendees: [person] }),
    json('change attendee', 'changeAttendee', `/v1/events/abuse/attendees/${attendees[0]!.id}`, { first_name: 'Ada' }),
    json('scan batch', 'scanBatch', '/api/v1/events/abuse/scan/batch', { scans: [scan] }, batch),
    json('message', 'createCommunication', '/v1/events/abuse/communications', { subject: 'Hello', text: 'Hello' }),
    json('change message', 'changeCommunication', `/v1/events/abuse/communications/${letter}`, { text: 'Hello' }),
    json('event template', 'importEventTemplate', '/v1/event-templates/imports', { template: TEMPLATE }),
    json('webhook', 'createWebhook', '/v1/webhooks', { url: 'https://hooks.example.org/turnout', events: ['*'] }),
    {
      ...json('import of JSON', 'importPeople', '/v1/events/abuse/imports', {
        csv: 'First name,Last name\n',
        preview: true,
      }),
    },
    file('import of CSV', 'text/csv', BAD_FILES),
    file('import of a form', FORM, BAD_FORMS),
  ];
}
