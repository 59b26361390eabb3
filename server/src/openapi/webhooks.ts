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

/** The resource in `data`, by the first word of the type, and the fields that some types add to it. */
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
    '`t=<unix seconds>,v1=<hex>`, where `v1` is the HMAC-SHA256 of `<t>.<raw body>` with the endpoint’s secret, over the bytes as they arrived. For 24 hours after the secret was rotated there are two `v1`. Compare in constant time, and refuse a `t` that is more than 300 seconds from your clock.',
  schema: { type: 'string' },
  example: 't=1795162323,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
};

/** The name that generators give to the handler, such as `onRegistrationCreated`. */
const handlerOf = (type: EventType): string =>
  `on${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

/** The section `webhooks`: the request that receivers get, for each type. */
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
      'Sent to each endpoint that subscribes to this type. A 2xx within 15 seconds means success; anything else is tried again. New fields may be added, so verify the signature over the bytes as they arrived.',
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
      '2XX': { description: 'Received. The first 1 KB of the body is kept with the delivery and otherwise ignored.' },
      '4XX': { description: 'Not received. The delivery is tried again, up to nine times in all.' },
    },
  };
}
