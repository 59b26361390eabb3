import {
  type Attack,
  asKey,
  attempt,
  firstAccepted,
  type Ground,
  openEvent,
  partOf,
  registrationBody,
} from './attack.ts';

/** Unicode's longest: when it is normalised, one letter becomes 18 (four words). */
const GROWING = '\ufdfa';
const WORDS = encodeURIComponent('صلى الله عليه وسلم');

/** People whose names are as long as the server accepts, in registrations of 200. Answers how many letters a name has. */
async function registerCrowd(ground: Ground, event: string, registrations: number, people: number): Promise<number> {
  let letters = [99, 60, 40, 20, 10, 5, 2];
  for (let i = 0; i < registrations; i += 1) {
    const { candidate } = await firstAccepted(letters, (count) => {
      const name = GROWING.repeat(count);
      const crowd = Array.from({ length: people }, () => ({ first: name, last: name }));
      return attempt(ground, 'POST', `/events/${event}/registrations`, registrationBody(crowd));
    });
    letters = [candidate];
  }
  return letters[0]!;
}

interface Wanted {
  name: string;
  registrations: number;
  together: number;
  hangsUpAfterMs?: number;
  list?: string;
}

const searching = ({ name, registrations, together, list = 'registrations', ...more }: Wanted): Attack => ({
  name: `search: ${name}`,
  prepare: async (ground, share) => {
    const event = await openEvent(ground);
    const people = partOf(200, share);
    await registerCrowd(ground, event, registrations, people);
    const request = asKey(ground, 'GET', `/v1/events/${event}/${list}?search=${WORDS}`);
    return {
      requests: Array.from({ length: together }, () => request),
      together,
      size: registrations * people,
      ...more,
    };
  },
});

/**
 * Searches among people whose names are written to be slow, in so many `registrations` of 200 people. Many searches at once need only
 * one of them.
 */
export const searchAttacks = (registrations: number): readonly Attack[] => [
  searching({ name: `${registrations} × 200 growing names`, registrations, together: 1 }),
  searching({ name: 'the same among attendees', registrations, together: 1, list: 'attendees' }),
  searching({ name: '24 at once', registrations: 1, together: 24 }),
  searching({ name: '24 callers who hang up', registrations: 1, together: 24, hangsUpAfterMs: 500 }),
];
