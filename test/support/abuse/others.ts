import { randomUUID } from 'node:crypto';
import type { Outgoing } from './abuser.ts';
import { type Ground, make, openEvent, type Registered, registrationBody } from './attacks/attack.ts';

/** What somebody of another organization does who must not notice an attack. */
export const OTHERS = ['me', 'scan', 'readyz'] as const;
export type Other = (typeof OTHERS)[number];

/** What they need, as plain values, so that a thread can be given it. */
export interface OtherParts {
  key: string;
  event: string;
  code: string;
}

/** Makes an event of the other organization with one ticket, which is scanned again and again. */
export async function otherParts(ground: Ground): Promise<OtherParts> {
  const event = await openEvent(ground);
  const path = `/events/${event}/registrations`;
  const { attendees } = await make<Registered>(ground, 'POST', path, registrationBody([{}]));
  return { key: ground.key, event, code: attendees[0]!.tickets[0]!.code };
}

const get = (path: string, headers: Record<string, string> = {}): Outgoing => ({
  method: 'GET',
  path,
  headers,
  body: null,
});

export function otherRequest(who: Other, { key, event, code }: OtherParts): Outgoing {
  const authorization = `Bearer ${key}`;
  if (who === 'readyz') return get('/readyz');
  if (who === 'me') return get('/v1/me', { authorization });
  const scan = { code, check_in_point: 'gate', client_uuid: randomUUID(), scanned_at: '2099-01-01T12:00:00Z' };
  return {
    method: 'POST',
    path: `/api/v1/events/${event}/scan`,
    headers: { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(scan),
  };
}
