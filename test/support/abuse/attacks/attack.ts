import type { Answered, Outgoing } from '../abuser.ts';

/** Where an attack takes place: a running server, and an organization whose key the attacker has. */
export interface Ground {
  /** The code of the organization. */
  org: string;
  key: string;
  /** One request of the attacker. */
  send(outgoing: Outgoing): Promise<Answered>;
  /** The path of the link to a registration, which its registrant is mailed. */
  linkTo(registration: Registered): Promise<string>;
}

export interface Registered {
  id: string;
  code: string;
  contact: { email: string | null };
  attendees: { id: string; tickets: { id: string; code: string }[] }[];
}

/** What an attacker sends when everything is in place. */
export interface Volley {
  requests: Outgoing[];
  /** How many of them are under way at the same time. */
  together: number;
  /** The attacker closes the connection after this time, and sends the next one. */
  hangsUpAfterMs?: number;
  /** How requests are refused, where they are too large to be accepted. Otherwise they succeed: a refusal is cheap and shows nothing. */
  refusedWith?: number;
  /** What the cost is compared with: how many bytes are sent, or how much there is to read. */
  size: number;
  /** Waits until work in the background is done that the requests started. */
  settle?(): Promise<void>;
}

/** A way of costing others much with little. */
export interface Attack {
  name: string;
  /** The processor time in milliseconds that the server may use for it, where that is less than for the others. */
  serverMs?: number;
  /**
   * How many times as much processor time the server may use for all of it as for this share, which is measured beside it. So a limit
   * can be close to what it costs: on a busy machine both cost more.
   */
  beside?: { share: number; times: number };
  /** `share`: of the greatest size that bounds allow, so that it shows how the cost grows. */
  prepare(ground: Ground, share: number): Promise<Volley>;
}

let serial = 0;
/** A code that nothing else has. */
export const newCode = (): string => {
  serial += 1;
  return `attack-${serial}`;
};

export const asKey = ({ key }: Ground, method: string, path: string, body?: unknown): Outgoing => ({
  method,
  path,
  headers: {
    authorization: `Bearer ${key}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  },
  body: body === undefined ? null : JSON.stringify(body),
});

/** A call of the API that must work. */
export async function make<T>(ground: Ground, method: string, path: string, body?: unknown): Promise<T> {
  const { status, text } = await ground.send(asKey(ground, method, `/v1${path}`, body));
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}

/** The first of these that the server accepts, from the largest to the smallest, and what it answered. */
export async function firstAccepted<T, A>(
  candidates: readonly T[],
  attempt: (candidate: T) => Promise<A | null>,
): Promise<{ candidate: T; answer: A }> {
  for (const candidate of candidates) {
    const answer = await attempt(candidate);
    if (answer !== null) return { candidate, answer };
  }
  throw new Error('The server accepts none of the sizes that the attack tries.');
}

/** What the server answered, or null where it refused. */
export async function attempt<T>(ground: Ground, method: string, path: string, body?: unknown): Promise<T | null> {
  const { status, text } = await ground.send(asKey(ground, method, `/v1${path}`, body));
  return status < 300 ? (JSON.parse(text || '{}') as T) : null;
}

export const bytesOf = ({ body, path }: Outgoing): number =>
  path.length + (body === null ? 0 : Buffer.byteLength(body));

/** So many of a share, at least one. */
export const partOf = (most: number, share: number): number => Math.max(1, Math.round(most * share));

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse('2099-01-01T00:00:00Z');

interface Structure {
  days?: number;
  event?: object;
}

/** An event to which people can be registered, with an entry named `gate`. */
export async function openEvent(ground: Ground, { days = 1, event = {} }: Structure = {}): Promise<string> {
  const code = newCode();
  await make(ground, 'POST', '/events', { code, name: 'Attacked', ...event });
  for (let i = 0; i < days; i += 1) {
    const date = new Date(FIRST_DAY + i * DAY_MS).toISOString().slice(0, 10);
    await make(ground, 'POST', `/events/${code}/days`, { code: `d${i}`, date });
  }
  await make(ground, 'POST', `/events/${code}/attendee-types`, { code: 'adult', name: 'Adult' });
  await make(ground, 'POST', `/events/${code}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' });
  await make(ground, 'POST', `/events/${code}/publish`);
  return code;
}

export interface PersonGiven {
  first?: string;
  last?: string;
  days?: string[];
}

export const registrationBody = (people: readonly PersonGiven[], more: object = {}): object => ({
  attendees: people.map(({ first = 'Ada', last = 'Byron', days }, i) => ({
    attendee_type: 'adult',
    first_name: first,
    last_name: last,
    email: `ada${i}@example.org`,
    ...(days !== undefined && { days }),
  })),
  send_emails: false,
  ...more,
});

export const registrationRequest = (ground: Ground, event: string, people: readonly PersonGiven[], more?: object) =>
  asKey(ground, 'POST', `/v1/events/${event}/registrations`, registrationBody(people, more));

export const dayCodes = (count: number): string[] => Array.from({ length: count }, (_, i) => `d${i}`);
