import {
  type Attack,
  attempt,
  bytesOf,
  dayCodes,
  firstAccepted,
  type Ground,
  make,
  partOf,
  type Registered,
  registrationBody,
  registrationRequest,
} from './attack.ts';
import { settled } from './jobs.ts';
import { readings } from './readings.ts';
import { longEvent } from './templates.ts';

export const MAX_PEOPLE = 200;
const MAX_DAYS = 366;
/** They make ten times as many tickets as one transaction does. More would take as long for each and show nothing else. */
const IMPORTED = 150;
/** People who come on these days. */
export const crowd = (count: number, days?: string[]) =>
  Array.from({ length: count }, (_, i) => ({ last: `Byron ${i}`, ...(days !== undefined && { days }) }));

/** The largest registration that the server accepts, in an event of 366 days with a ticket for each day. */
async function largestRegistration(ground: Ground, share: number) {
  const event = await longEvent(ground, MAX_DAYS, { ticketing: 'per_day' });
  const most = partOf(MAX_PEOPLE, share);
  const sizes = [1, 0.5, 0.25, 0.1, 0.05, 0.02, 0.005].map((part) => partOf(most, part));
  const path = `/events/${event}/registrations`;
  const { answer, candidate } = await firstAccepted(sizes, (count) =>
    attempt<Registered>(ground, 'POST', path, registrationBody(crowd(count, dayCodes(MAX_DAYS)))),
  );
  return { event, registration: answer, tickets: candidate * MAX_DAYS };
}

/** People × days: one call that makes as many tickets as it may, and everything that shows them. */
export const REGISTERING_ATTACKS: readonly Attack[] = [
  {
    name: 'register: 200 people × 366 days',
    prepare: async (ground, share) => {
      const event = await longEvent(ground, MAX_DAYS, { ticketing: 'per_day' });
      const people = crowd(partOf(MAX_PEOPLE, share), dayCodes(MAX_DAYS));
      const request = registrationRequest(ground, event, people);
      return { requests: [request], together: 1, size: bytesOf(request), refusedWith: 400 };
    },
  },
  {
    name: 'register: 13 people × 366 days',
    prepare: async (ground, share) => {
      const event = await longEvent(ground, MAX_DAYS, { ticketing: 'per_day' });
      const request = registrationRequest(ground, event, crowd(partOf(13, share), dayCodes(MAX_DAYS)));
      return { requests: [request], together: 1, size: bytesOf(request) };
    },
  },
  {
    name: `register: import of ${IMPORTED} people × 366 days`,
    prepare: async (ground, share) => {
      const event = await longEvent(ground, MAX_DAYS, { ticketing: 'per_day' });
      const days = dayCodes(MAX_DAYS).join(';');
      const rows = Array.from({ length: partOf(IMPORTED, share) }, (_, i) => `Ada,Byron ${i},adult,"${days}"`);
      const body = ['First name,Last name,Attendee type,Days', ...rows].join('\n');
      const headers = { authorization: `Bearer ${ground.key}`, 'content-type': 'text/csv' };
      const request = { method: 'POST', path: `/v1/events/${event}/imports`, headers, body };
      return { requests: [request], together: 1, size: bytesOf(request), settle: () => settled(ground) };
    },
  },
  {
    name: 'register: reading the largest one back',
    prepare: async (ground, share) => {
      const { event, registration, tickets } = await largestRegistration(ground, share);
      return { requests: await readings(ground, event, registration), together: 1, size: tickets };
    },
  },
  {
    name: 'register: reading 25 large ones back',
    prepare: async (ground, share) => {
      const event = await longEvent(ground, MAX_DAYS, { ticketing: 'per_day' });
      let last: Registered | undefined;
      for (let i = 0; i < partOf(25, share); i += 1) {
        last = await make(
          ground,
          'POST',
          `/events/${event}/registrations`,
          registrationBody(crowd(4, dayCodes(MAX_DAYS))),
        );
      }
      // A scanner asks for what changed since it last asked. That is one answer without pages, and here everything has just changed.
      const requests = (await readings(ground, event, last!)).filter(({ path }) => !path.includes('/scan/roster'));
      return { requests, together: 1, size: partOf(25, share) };
    },
  },
];
