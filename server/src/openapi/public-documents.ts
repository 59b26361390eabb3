import { ErrorBody, PublicEvent, PublicEvents } from '@turnout/contract';
import type { TSchema } from 'typebox';
import { clientName } from './client-names.ts';
import { IF_NONE_MATCH } from './parameters.ts';
import { headersOf } from './refusals.ts';
import type { Json, Schemas } from './schemas.ts';

export const PUBLIC_TAG = 'Public JSON';

const event: PublicEvent = {
  id: '01JBJ4V7Q2N8H5T3B6C9D1F4KE',
  code: 'lakeside-fair',
  name: 'Lakeside Fair',
  url: 'https://turnout.example/o/sandbox/lakeside-fair',
  starts_at: '2026-11-20T07:00:00Z',
  ends_at: '2026-11-22T20:00:00Z',
  timezone: 'Europe/Berlin',
  venue: 'Boathouse, Lake Road 1',
  image: null,
  currency: 'EUR',
  registration: 'open',
  days: [{ code: 'day1', name: 'First day', date: '2026-11-20', availability: 'few' }],
  attendee_types: [
    {
      code: 'adult',
      name: 'Adult',
      description: null,
      price_minor: 1800,
      current_price_minor: 1500,
      current_price_until: '2026-10-31T23:00:00Z',
      availability: 'available',
    },
  ],
  products: [
    {
      code: 'workshop',
      name: 'Bread workshop',
      description: null,
      price_minor: 1200,
      per: 'attendee',
      max: 1,
      required: false,
      attendee_types: null,
      days: ['day1'],
      options: [],
      availability: 'few',
    },
  ],
};
const events: PublicEvents = {
  organization: {
    code: 'sandbox',
    name: 'Lakeside Events',
    url: 'https://turnout.example/o/sandbox',
    logo: null,
  },
  events: [event],
  next: null,
};

const ORGANIZATION = {
  name: 'org',
  in: 'path',
  required: true,
  description: 'Code or id of the organization.',
  schema: { type: 'string', maxLength: 100 },
  example: 'sandbox',
};
const EVENT = {
  name: 'event',
  in: 'path',
  required: true,
  description: 'Code or id of the event.',
  schema: { type: 'string', maxLength: 100 },
  example: 'lakeside-fair',
};
const AFTER = {
  name: 'after',
  in: 'query',
  description: 'Where the page begins: take it from `next`.',
  schema: { type: 'string', maxLength: 200 },
};

/**
 * The documents that anybody may read without a key. They are served beside the registration pages (areas/pages/public-pages.ts) and not
 * by the road, so they are described here.
 */
export function publicDocuments(schemas: Schemas, publicUrl: string): Record<string, Json> {
  const servers = [
    {
      url: '{public_url}',
      description: 'Registration pages',
      variables: {
        public_url: {
          default: publicUrl,
          description:
            'Address of the installation. On an organization’s own host the documents are at its root, without `/o/{org}`.',
        },
      },
    },
  ];
  const document = (
    id: string,
    summary: string,
    description: string,
    reply: TSchema,
    parameters: Json[],
    example: unknown,
  ): Json => ({
    servers,
    get: {
      operationId: id,
      'x-client-name': clientName(id),
      tags: [PUBLIC_TAG],
      summary,
      description: `${description}\n\nNeeds no key. Every origin may read it, and it may be five seconds old.`,
      security: [],
      parameters: [...parameters, IF_NONE_MATCH],
      responses: {
        200: {
          description: 'Done.',
          headers: { ...headersOf(304, false), ETag: { $ref: '#/components/headers/ETag' } },
          content: { 'application/json': { schema: schemas.publishWhole(reply, 'response', id), example } },
        },
        304: {
          description:
            'Nothing has changed since the answer whose `ETag` was sent as `If-None-Match`. There is no body.',
          headers: { ...headersOf(304, false), ETag: { $ref: '#/components/headers/ETag' } },
        },
        404: {
          description: '`not_found`: there is no such organization, or no such event that everybody may see.',
          headers: headersOf(304, false),
          content: {
            'application/json': {
              schema: schemas.publish(ErrorBody, 'response'),
              example: {
                error: {
                  code: 'not_found',
                  message: 'There is no such object.',
                  request_id: '01JCQ8Z7M4T3V9R1X5K2N6P8DA',
                },
              },
            },
          },
        },
      },
    },
  });
  return {
    '/o/{org}/events.json': document(
      'listPublicEvents',
      'List an organization’s public events',
      'The published and listed events that are not over, in the order of their dates, 100 a page.',
      PublicEvents,
      [ORGANIZATION, AFTER],
      events,
    ),
    '/o/{org}/{event}.json': document(
      'getPublicEvent',
      'Get a public event',
      'Also events that are not listed, by their code or id.',
      PublicEvent,
      [ORGANIZATION, EVENT],
      event,
    ),
  };
}
