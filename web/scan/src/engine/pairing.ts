import { Db } from '../store/db.ts';
import { allEvents, deleteEvent, putEvent } from '../store/events.ts';
import type { EventRow } from '../store/rows.ts';
import { getValue, putValue } from '../store/values.ts';
import { call } from './calls.ts';
import { EngineError, refusedBy, unanswered } from './errors.ts';
import { orgOf, sessionToken } from './session-token.ts';
import { readEvent, readPair } from './shapes.ts';
import { CALL_TIMEOUT } from './times.ts';
import type { PairedEvent } from './types.ts';
import { VERSION } from './version.ts';

/** In localStorage, which is deleted on other occasions than IndexedDB: it tells that there was something. */
const MARKER = 'turnout-scan';

/** One connection for the whole page. An engine has its own. */
const db = new Db();

/** A pairing whose answer was lost is sent again under the same key: until the code expires, the server gives the same answer. */
const tries = new Map<string, string>();

export async function pair(code: string, name: string): Promise<PairedEvent> {
  if (!isSecureContext) throw new EngineError('insecure', 'Scanning needs https.');
  const body = JSON.stringify({ code, ...(name.trim() !== '' && { name: name.trim() }), version: VERSION });
  const key = tries.get(body) ?? crypto.randomUUID();
  tries.set(body, key);
  const request = { method: 'POST', path: '/devices/pair', token: null, body, key } as const;
  const outcome = await call({ ...request, timeout: CALL_TIMEOUT, read: readPair });
  if (outcome.kind === 'refused') throw refusedBy(outcome.refusal);
  if (outcome.kind !== 'answer') throw unanswered();
  const { device, token, event } = outcome.body;
  const row = { id: device.id, name: device.name, event: shortEvent(event), point: null, token };
  tries.delete(body);
  return keep({ ...row, paired_at: Date.now() });
}

/** Opens an event of a member who is signed in to the organizer's app, in their session. Once it is known, it opens without a network. */
export async function join(org: string, event: string): Promise<PairedEvent> {
  if (!isSecureContext) throw new EngineError('insecure', 'Scanning needs https.');
  const token = sessionToken(org);
  const known = (await allEvents(db)).find((row) => row.token === token && row.event.id === event);
  if (known !== undefined) return pairedOf(known);
  const path = `/events/${encodeURIComponent(event)}`;
  const outcome = await call({ method: 'GET', path, token, timeout: CALL_TIMEOUT, read: readEvent });
  if (outcome.kind === 'refused') throw refusedBy(outcome.refusal);
  if (outcome.kind !== 'answer') throw unanswered();
  const found = outcome.body;
  const row = { id: `${token} ${found.id}`, name: '', event: shortEvent(found), point: null, token };
  return keep({ ...row, paired_at: Date.now() });
}

const shortEvent = ({ id, name, timezone }: PairedEvent['event']): PairedEvent['event'] => ({ id, name, timezone });

export const pairedOf = ({ id, name, event, point, token }: EventRow): PairedEvent => ({
  ...{ id, name, event, point },
  org: orgOf(token),
});

async function keep(row: EventRow): Promise<PairedEvent> {
  await putEvent(db, row);
  await mark();
  // Without persistent storage the browser may delete everything when the disk fills up. Some browsers ask the user about it, so the app
  // requests it only after the device was paired.
  await navigator.storage?.persist?.().catch(() => false);
  return pairedOf(row);
}

export async function pairedEvents(): Promise<readonly PairedEvent[]> {
  return (await allEvents(db)).map(pairedOf);
}

/** Removes an event from this device. Refused while scans wait or are kept, unless they were handed over and `force` says so. */
export async function forget(id: string, options: { force?: boolean } = {}): Promise<void> {
  const removed = await deleteEvent(db, id, (waiting) => waiting > 0 && options.force !== true);
  if (!removed) {
    throw new EngineError('waiting', 'This device still has scans of the event that the server has not recorded.');
  }
  await mark();
}

/** Whether what this device kept was deleted: by the user, or by a browser that needed the space. */
export async function storageState(): Promise<'ok' | 'wiped' | 'missing'> {
  try {
    const kept = await getValue<string>(db, 'marker');
    const marker = localStorage.getItem(MARKER);
    return marker !== null && marker !== kept ? 'wiped' : 'ok';
  } catch {
    return 'missing';
  }
}

/** Notes that somebody has read the notice about deleted storage. */
export const wipeSeen = (): void => localStorage.removeItem(MARKER);

/** Leaves the same mark in both places, or none where there is nothing to lose. */
export async function mark(): Promise<void> {
  if ((await allEvents(db)).length === 0) return localStorage.removeItem(MARKER);
  const marker = (await getValue<string>(db, 'marker')) ?? crypto.randomUUID();
  await putValue(db, 'marker', marker);
  localStorage.setItem(MARKER, marker);
}
