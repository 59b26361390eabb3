import {
  Communication,
  CommunicationChange,
  CommunicationCreate,
  CommunicationPreview,
  CommunicationPreviewOf,
  CommunicationQuery,
  CommunicationRecipient,
  CommunicationSend,
  CommunicationTest,
  CommunicationTested,
  Page,
  RecipientQuery,
} from '@turnout/contract';
import { operation, type Work } from '../../road/operation.ts';
import { newestFirst } from '../../road/read/page.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import { apartFromErasures } from '../../store/clocks.ts';
import { every, sql } from '../../store/sql.ts';
import { anEvent } from '../events/index.ts';
import {
  cancelCommunication,
  changeCommunication,
  createCommunication,
  deleteCommunication,
  sendCommunication,
  wordFaults,
} from './communications.ts';
import { preview, sendTest } from './preview.ts';
import {
  aCommunication,
  type CommunicationRow,
  communicationShape,
  communications,
  ownCommunication,
  visible,
} from './queries.ts';
import { listRecipients } from './recipients.ts';

const tag = 'Communications';
const reading = { method: 'GET', scope: 'read', entitlement: 'api_read', member: 'people.read', tag } as const;
const rules = [
  { of: [], faults: ({ tx, body }: Work & { body: ValidPart<CommunicationChange> }) => wordFaults(tx, body) },
];
const writing = { scope: 'write', entitlement: 'api_write', member: 'people.bulk', tag } as const;
const one = '/events/{event}/communications/{communication}';
// A group may also write to its attendees in events of the groups above it, so any event that the caller sees is allowed.
const own = { event: anEvent, communication: ownCommunication };

export const operations = [
  operation({
    ...reading,
    id: 'listCommunications',
    path: '/events/{event}/communications',
    at: { event: anEvent },
    query: CommunicationQuery,
    reply: Page(Communication),
    refusals: ['not_found'],
    summary: 'List communications',
    description:
      'Newest first. A key limited to a group sees the communications of its group and of the groups below it.',
    handle: async (call) => {
      const { tx, org, at, query } = call;
      const list = newestFirst(['communications', at.event.id, query.status], query, 'c');
      const wanted = every([sql`c.event_id = ${at.event.id}`, visible(call), list.where]);
      const rows = await tx.all<CommunicationRow>(sql`
        select * from (${communications(org, wanted)}) c
        where ${query.status === undefined ? sql`true` : sql`c.status = ${query.status}`} ${list.order}`);
      return list.page(rows, communicationShape);
    },
  }),
  operation({
    ...reading,
    id: 'getCommunication',
    path: one,
    at: { event: anEvent, communication: aCommunication },
    reply: Communication,
    refusals: ['not_found'],
    summary: 'Get a communication and its progress',
    handle: async ({ at }) => communicationShape(at.communication),
  }),
  operation({
    ...writing,
    id: 'createCommunication',
    method: 'POST',
    path: '/events/{event}/communications',
    audit: 'communication.created',
    at: { event: anEvent },
    body: CommunicationCreate,
    rules,
    reply: Communication,
    status: 201,
    refusals: ['not_found'],
    summary: 'Draft a communication',
    description: 'No mail goes out until the communication is sent with `POST …/send`.',
    handle: (call) => createCommunication(call, call.at.event, call.body),
  }),
  operation({
    ...writing,
    id: 'changeCommunication',
    method: 'PATCH',
    path: one,
    audit: 'communication.changed',
    at: own,
    body: CommunicationChange,
    rules,
    reply: Communication,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    summary: 'Change a communication',
    description: 'Allowed while it is a draft or scheduled. A given `audience` replaces the old one completely.',
    handle: (call) => changeCommunication(call, call.at.event, call.at.communication, call.body),
  }),
  operation({
    ...writing,
    id: 'deleteCommunication',
    method: 'DELETE',
    path: one,
    audit: 'communication.deleted',
    at: own,
    reply: null,
    status: 204,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    summary: 'Delete a draft',
    handle: (call) => deleteCommunication(call, call.at.communication),
  }),
  operation({
    ...writing,
    id: 'previewCommunication',
    method: 'POST',
    path: `${one}/preview`,
    audit: 'communication.previewed',
    unaudited: true,
    at: own,
    body: CommunicationPreviewOf,
    refers: { attendee: null },
    reply: CommunicationPreview,
    refusals: ['not_found', 'test_key_live_object'],
    summary: 'Preview a communication as one attendee would get it',
    description: 'Also counts how many attendees it would reach now. Nothing is sent or changed.',
    handle: (call) => apartFromErasures(call.tx, call.org, () => preview(call, call.at.communication, call.body)),
  }),
  operation({
    ...writing,
    id: 'testCommunication',
    method: 'POST',
    path: `${one}/test`,
    audit: 'communication.tested',
    at: own,
    body: CommunicationTest,
    refers: { attendee: null },
    reply: CommunicationTested,
    refusals: ['not_found', 'test_key_live_object'],
    summary: 'Send a test',
    description:
      'Sends the message, marked as a test, to at most five addresses and nobody else. With a test key, no mail goes out. An organization can send 30 test mails per hour; more are refused with 429 `rate_limited`.',
    handle: (call) => sendTest(call, call.at.communication, call.body),
  }),
  operation({
    ...writing,
    id: 'sendCommunication',
    method: 'POST',
    path: `${one}/send`,
    audit: 'communication.released',
    at: own,
    body: CommunicationSend,
    reply: Communication,
    continuesInBackground: ({ status }) => status === 'sending',
    refusals: ['not_found', 'invalid_state', 'test_key_live_object', 'too_many_jobs'],
    summary: 'Send a communication, now or at its time',
    description:
      'A job sends it in the background (`job_id`). The recipients are fixed when sending begins, and each gets it once. Attendees without an address of their own are written to at their registrant’s address. If several recipients share an address, the same text goes there only once.',
    handle: (call) => sendCommunication(call, call.at.communication, call.body),
  }),
  operation({
    ...writing,
    id: 'cancelCommunication',
    method: 'POST',
    path: `${one}/cancel`,
    audit: 'communication.cancelled',
    at: own,
    reply: Communication,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    summary: 'Cancel a communication',
    description:
      'Allowed while it is scheduled or sending. Mails that a mail server has already accepted stay sent; no others go out.',
    handle: (call) => cancelCommunication(call, call.at.communication),
  }),
  operation({
    ...reading,
    id: 'listCommunicationRecipients',
    path: `${one}/recipients`,
    at: { event: anEvent, communication: aCommunication },
    query: RecipientQuery,
    reply: Page(CommunicationRecipient),
    refusals: ['not_found'],
    summary: 'List the recipients and what became of each mail',
    description: 'The list is empty until sending begins.',
    handle: (call) => listRecipients(call, call.at.communication, call.query),
  }),
];
