import {
  Attendee,
  CheckIn,
  EVENT_TYPES,
  type EventType,
  Payment,
  Registration,
  sampleEnvelope,
  Ticket,
  WebhookEnvelope,
} from '@turnout/contract';
import type { TSchema } from 'typebox';
import type { Json, Schemas } from './schemas.ts';

/** What `data` of each type holds, in API v1's own shapes, and what stands beside it. */
const DATA: Readonly<Record<string, TSchema>> = {
  registration: Registration,
  ticket: Ticket,
  checkin: CheckIn,
  payment: Payment,
};
const BESIDE: Readonly<Partial<Record<EventType, Record<string, TSchema | Json>>>> = {
  'registration.attendee_added': { attendee: Attendee },
  'registration.attendee_removed': { attendee: Attendee },
  'ticket.reissued': { replaces: { type: 'string', description: 'Id of the ticket that it replaces.' } },
};

const SIGNATURE: Json = {
  name: 'Service-Signature',
  in: 'header',
  required: true,
  description:
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the endpoint’s secret, over the bytes as they arrived. For 24 hours after a rotation there are two `v1`. Compare in constant time and refuse a `t` more than 300 seconds from your clock.',
  schema: { type: 'string' },
  example: 't=1795162323,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
};

/** `onRegistrationCreated`: what generators name the handler. */
const handlerOf = (type: EventType): string =>
  `on${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

/** The section `webhooks`: one request for each type, as receivers get it. */
export function webhooksOf(schemas: Schemas): Json {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: received(type, schemas) }]));
}

function received(type: EventType, schemas: Schemas): Json {
  const data = schemas.publish(DATA[type.split('.')[0]!], 'response');
  const beside = Object.entries(BESIDE[type] ?? {}).map(([name, schema]) => [
    name,
    schemas.publish(schema, 'response'),
  ]);
  const more = { type: 'object', properties: Object.fromEntries(beside), required: beside.map(([name]) => name) };
  return {
    operationId: handlerOf(type),
    tags: ['Webhooks'],
    summary: `\`${type}\``,
    description:
      'Sent to each endpoint that subscribes to it. Any 2xx within 15 seconds is success; everything else is tried again. New fields may appear: verify the signature over the bytes as they arrived.',
    security: [],
    parameters: [SIGNATURE],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            allOf: [
              schemas.publish(WebhookEnvelope, 'response'),
              {
                type: 'object',
                properties: {
                  type: { type: 'string', const: type },
                  data: beside.length === 0 ? data : { allOf: [data, more] },
                },
              },
            ],
          },
          example: sampleEnvelope(type),
        },
      },
    },
    responses: {
      '2XX': { description: 'Taken. What the body says is kept (its first 1 KB) and otherwise ignored.' },
      '4XX': { description: 'Not taken: it is tried again, nine times in all.' },
    },
  };
}
