import type { Outgoing } from '../abuser.ts';
import { type Attack, type Ground, make, openEvent, partOf, type Registered, registrationBody } from './attack.ts';
import { crowd, MAX_PEOPLE } from './registering.ts';

const CJK = 0x4e00;
/** 99 letters, none of which another person has, so that a font needs them all. */
const variedName = (i: number): string =>
  String.fromCodePoint(...Array.from({ length: 99 }, (_, k) => CJK + ((i * 99 + k) % 20_000)));

/** A ticket that 200 people share, each with a name of letters that nobody else has. */
async function sharedTicket(ground: Ground, people: number): Promise<{ registration: Registered }> {
  const event = await openEvent(ground, { event: { ticketing: 'shared' } });
  const named = Array.from({ length: people }, (_, i) => ({ first: variedName(2 * i), last: variedName(2 * i + 1) }));
  const registration = await make<Registered>(
    ground,
    'POST',
    `/events/${event}/registrations`,
    registrationBody(named),
  );
  return { registration };
}

const pdfOf = ({ key }: Ground, { attendees }: Registered): Outgoing => ({
  method: 'GET',
  path: `/v1/tickets/${attendees[0]!.tickets[0]!.id}/pdf`,
  headers: { authorization: `Bearer ${key}` },
  body: null,
});

/** A PDF takes up to a second; those of all organizations are printed by one thread. The rest is room for a busy machine. */
const PDF_MS = 2500;
/** One link may be opened 120 times. */
const VIEWS = 100;
const SHOWN = 40;
/**
 * A view of 40 tickets costs three to four times as much as a view of one (measured), and nine times when each code is drawn by squares
 * and its mask is chosen anew.
 */
const VIEW_TIMES = 6;

/** What is drawn: tickets as PDF, and QR codes on pages. */
export const DRAWING_ATTACKS: readonly Attack[] = [
  {
    name: 'ticket PDF: 200 people with 99 varied letters',
    serverMs: PDF_MS,
    prepare: async (ground, share) => {
      const people = partOf(MAX_PEOPLE, share);
      const { registration } = await sharedTicket(ground, people);
      return { requests: [pdfOf(ground, registration)], together: 1, size: people };
    },
  },
  {
    name: 'ticket PDF: six of them at once',
    prepare: async (ground, share) => {
      const people = partOf(MAX_PEOPLE, share);
      const requests: Outgoing[] = [];
      for (let i = 0; i < 6; i += 1) requests.push(pdfOf(ground, (await sharedTicket(ground, people)).registration));
      return { requests, together: 6, size: people };
    },
  },
  {
    name: `My registration: ${VIEWS} views of ${SHOWN} tickets`,
    beside: { share: 1 / SHOWN, times: VIEW_TIMES },
    prepare: async (ground, share) => {
      const event = await openEvent(ground);
      const people = partOf(SHOWN, share);
      const registration = await make<Registered>(
        ground,
        'POST',
        `/events/${event}/registrations`,
        registrationBody(crowd(people)),
      );
      const path = await ground.linkTo(registration);
      const requests = Array.from({ length: VIEWS }, (_, i): Outgoing => {
        // From as many addresses, so that the limit for one of them does not hide what a view costs.
        return { method: 'GET', path, headers: { 'x-forwarded-for': `198.51.100.${i + 1}` }, body: null };
      });
      return { requests, together: 8, size: people };
    },
  },
];
