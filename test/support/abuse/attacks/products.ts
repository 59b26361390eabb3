import { randomUUID } from 'node:crypto';
import { MAX_SCAN_RESULTS } from '@turnout/contract';
import {
  type Attack,
  asKey,
  attempt,
  type Ground,
  make,
  openEvent,
  partOf,
  type Registered,
  registrationBody,
  registrationRequest,
  type Volley,
} from './attack.ts';
import { settled } from './jobs.ts';
import { readings } from './readings.ts';
import { crowd } from './registering.ts';
import { largestEvent } from './templates.ts';

const scanning = (count: number, more: Partial<Volley> = {}): Attack => ({
  name: `scan batch: ${count} scans of tickets that 200 people share`,
  prepare: async (ground, share) => {
    const event = await openEvent(ground, { event: { ticketing: 'shared' } });
    const codes: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const path = `/events/${event}/registrations`;
      const { attendees } = await make<Registered>(ground, 'POST', path, registrationBody(crowd(partOf(200, share))));
      codes.push(attendees[0]!.tickets[0]!.code);
    }
    const scans = Array.from({ length: count }, (_, i) => ({
      code: codes[i % codes.length],
      check_in_point: 'gate',
      client_uuid: randomUUID(),
      scanned_at: '2099-01-01T12:00:00Z',
    }));
    const request = {
      method: 'POST',
      path: `/api/v1/events/${event}/scan/batch`,
      headers: { authorization: `Bearer ${ground.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ scans }),
    };
    return { requests: [request], together: 1, size: partOf(200, share), ...more };
  },
});

/** Scans × people: each scan of a shared ticket is one of everybody on it. */
export const SCAN_ATTACKS: readonly Attack[] = [scanning(500, { refusedWith: 413 }), scanning(MAX_SCAN_RESULTS / 200)];

/** Endpoints × people: each registration is an occurrence for each of its people, and a delivery for each endpoint. */
export const ENDPOINT_ATTACK: Attack = {
  name: 'webhooks: as many endpoints as may be × 50 people',
  prepare: async (ground, share) => {
    const event = await openEvent(ground);
    const wanted = partOf(200, share);
    let made = 0;
    const body = { url: 'https://hooks.example.org/attack', events: ['*'] };
    const ids: string[] = [];
    for (; made < wanted; made += 1) {
      const endpoint = await attempt<{ id: string }>(ground, 'POST', '/webhooks', body);
      if (endpoint === null) break;
      ids.push(endpoint.id);
    }
    const request = registrationRequest(ground, event, crowd(50));
    return {
      requests: [request],
      together: 1,
      size: made,
      settle: async () => {
        for (const id of ids) await attempt(ground, 'DELETE', `/webhooks/${id}`);
      },
    };
  },
};

const MB = 1_048_576;

/** Types × questions × days × check-in points: the largest event, and everything that shows it. */
export const STRUCTURE_ATTACK: Attack = {
  name: 'event: reading the largest one back',
  prepare: async (ground, share) => {
    const bytes = Math.floor(MB * share) - 1000;
    const event = await largestEvent(ground, bytes);
    const person = {
      attendee_type: 't0',
      first_name: 'Ada',
      last_name: 'Byron',
      email: 'ada@example.org',
      days: ['d0'],
    };
    const path = `/events/${event}/registrations`;
    const registration = await make<Registered>(ground, 'POST', path, { attendees: [person], send_emails: false });
    return { requests: await readings(ground, event, registration), together: 1, size: bytes };
  },
};

/** An event with five registrations of 200 people at most. */
async function crowdedEvent(ground: Ground, share: number): Promise<{ event: string; people: number }> {
  const event = await openEvent(ground);
  for (let i = 0; i < 5; i += 1) {
    await make(ground, 'POST', `/events/${event}/registrations`, registrationBody(crowd(partOf(200, share))));
  }
  return { event, people: 5 * partOf(200, share) };
}

const ALL_COLUMNS = ['answers', 'tickets', 'checked_in', 'checked_in_at', 'days', 'first_name', 'last_name'];

/** What one small request does for all people of an event. */
export const CROWD_ATTACKS: readonly Attack[] = [
  {
    name: 'export: 500 columns × 1,000 people',
    prepare: async (ground, share) => {
      const { event, people } = await crowdedEvent(ground, share);
      const columns = [...ALL_COLUMNS, ...Array.from({ length: 400 }, (_, i) => `answers.k${i}`)];
      const body = { what: 'people', format: 'xlsx', event, columns };
      const request = asKey(ground, 'POST', '/v1/exports', body);
      return { requests: [request], together: 1, size: people, settle: () => settled(ground) };
    },
  },
  {
    name: 'bulk action: new tickets for 1,000 people',
    prepare: async (ground, share) => {
      const { event, people } = await crowdedEvent(ground, share);
      const body = { action: 'reissue', filter: {}, send: false };
      const request = asKey(ground, 'POST', `/v1/events/${event}/bulk`, body);
      return { requests: [request], together: 1, size: people, settle: () => settled(ground) };
    },
  },
  {
    name: 'message: the longest text to 1,000 people',
    prepare: async (ground, share) => {
      const { event, people } = await crowdedEvent(ground, share);
      const text = '{{first_name|x}} **{{days}}** [a](https://example.org) '.repeat(340);
      const path = `/events/${event}/communications`;
      const { id } = await make<{ id: string }>(ground, 'POST', path, { subject: 'Hello', text });
      const request = asKey(ground, 'POST', `/v1${path}/${id}/send`, {});
      return { requests: [request], together: 1, size: people, settle: () => settled(ground) };
    },
  },
];
