import {
  DEFAULT_DOOR_RULES,
  DEFAULT_REGISTRATION_RULES,
  DEFAULT_SELF_SERVICE,
  type Event,
  type EventChange,
  type EventCreate,
  type EventStatus,
  isReservedEventCode,
  type Mode,
} from '@turnout/contract';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { type Fault, invalid, refuse, requireValid } from '../../common/refusal.ts';
import { freeCode } from '../../road/for-areas/codes.ts';
import type { Rule, Work } from '../../road/operation.ts';
import { inBody } from '../../road/request/reference.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import { NOTHING } from '../../road/write/audited.ts';
import { diff, resets } from '../../road/write/diff.ts';
import { stampEvent, stampOrganization } from '../../store/clocks.ts';
import { insertRow, updateRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { iso } from '../../store/stamps.ts';
import { aGroup, noteEventLeft } from '../groups/index.ts';
import { timesOfDays } from './event-times.ts';
import { type EventRow, eventShape, findEvent, touchWorld } from './queries.ts';

/**
 * The states of an event and what moves it from one to the next:
 *
 *   publish   draft, closed              → published   needs a day and an attendee type; self-hosted also a valid license
 *   close     published, archived        → closed      ends registration, scanning goes on; also reopens an archived event
 *   archive   draft, published, closed   → archived    nothing can be changed or scanned
 *   delete    draft, archived            → (deleted)   only without live registrations, or a test event; scope admin
 */
export const MOVES = {
  publish: { from: ['draft', 'closed'], to: 'published' },
  close: { from: ['published', 'archived'], to: 'closed' },
  archive: { from: ['draft', 'published', 'closed'], to: 'archived' },
} as const satisfies Record<string, { from: readonly EventStatus[]; to: EventStatus }>;
export type Move = keyof typeof MOVES;

/** The pages of the organization have other things at the reserved codes. An event that has one already keeps it. */
const codeTaken = (work: Work, except: Id | null) => async (code: string) =>
  isReservedEventCode(code) ||
  (await work.tx.maybe(sql`
    select 1 from events where org_id = ${work.org} and lower(code) = lower(${code}) and id is distinct from ${except}`)) !==
    null;

async function groupOf(work: Work, ref: string | null | undefined): Promise<Id | null> {
  if (ref === undefined) return work.caller.group?.id ?? null;
  if (ref === null) {
    if (work.caller.group !== null)
      invalid({ path: 'group', message: 'must not be null, because this key is limited to a group' });
    return null;
  }
  return (await inBody(work, aGroup, ref, 'group', {})).id;
}

/** What people may do by themselves; `change` names what is different from now on. */
function mergeSelfService(
  before: EventRow['self_service'],
  change: EventCreate['self_service'],
): EventRow['self_service'] {
  const times = Object.entries(change ?? {}).map(([name, time]) => [name, utc(time) ?? null]);
  return { ...before, ...Object.fromEntries(times) };
}

const utc = (time: string | null | undefined) => (time == null ? time : iso(new Date(time)));

function mergeRules(before: EventRow['registration'], change: EventCreate['registration']): EventRow['registration'] {
  const { opens_at, closes_at, ...rest } = change ?? {};
  return {
    ...before,
    ...rest,
    ...(opens_at !== undefined && { opens_at: utc(opens_at)! }),
    ...(closes_at !== undefined && { closes_at: utc(closes_at)! }),
  };
}

type Times = Pick<EventRow, 'starts_at' | 'ends_at'> & {
  registration: Pick<EventRow['registration'], 'opens_at' | 'closes_at'>;
};
export function eventFaults(event: Times): Fault[] {
  const isReversed = (from: string | null, to: string | null) =>
    from !== null && to !== null && Date.parse(to) < Date.parse(from);
  const faults: Fault[] = [];
  if (isReversed(event.starts_at, event.ends_at))
    faults.push({ path: 'ends_at', message: 'must not be before starts_at' });
  if (isReversed(event.registration.opens_at, event.registration.closes_at)) {
    faults.push({ path: 'registration/closes_at', message: 'must not be before opens_at' });
  }
  return faults;
}

/** `eventFaults` for the body of a call. What the body leaves out comes from the event as it is (`before`). */
export const eventRules = (before: (at: Record<string, unknown>) => EventRow | null): Rule<EventCall>[] => {
  const rule = (from: string, to: string): Rule<EventCall> => ({
    of: [from, to],
    faults: ({ at, body: { starts_at, ends_at, registration } }) => {
      const was = before(at);
      const times = {
        starts_at: starts_at === undefined ? (was?.starts_at ?? null) : starts_at,
        ends_at: ends_at === undefined ? (was?.ends_at ?? null) : ends_at,
        registration: mergeRules(was?.registration ?? DEFAULT_REGISTRATION_RULES, registration),
      };
      return eventFaults(times).filter((fault) => fault.path === to);
    },
  });
  return [
    rule('starts_at', 'ends_at'),
    rule('registration/opens_at', 'registration/closes_at'),
    { of: ['test'], faults: ({ mode, body }) => testFaults(mode, body) },
  ];
};
interface EventCall {
  at: Record<string, unknown>;
  mode: Mode;
  body: ValidPart<EventChange> & { test?: boolean };
}

const testFaults = (mode: Mode, body: { test?: boolean }): Fault[] =>
  mode === 'test' && body.test === false
    ? [{ path: 'test', message: 'must not be false, because an event made with a test key is a test event' }]
    : [];

export async function createEvent(work: Work, body: EventCreate): Promise<Event> {
  const { tx, org, mode } = work;
  requireValid(testFaults(mode, body));
  const stamp = await stampOrganization(tx, org);
  const group = await groupOf(work, body.group);
  const code = await freeCode({ code: body.code, name: body.name, fallback: 'event' }, codeTaken(work, null));
  const id = newId(tx.clock.now());
  const registration = mergeRules(DEFAULT_REGISTRATION_RULES, body.registration);
  const defaults = await tx.one<{ currency: string; language: string }>(sql`
    select currency, language from organizations where id = ${org}`);
  requireValid(eventFaults({ starts_at: body.starts_at ?? null, ends_at: body.ends_at ?? null, registration }));
  await insertRow(tx, 'events', {
    org_id: org,
    id,
    code,
    name: body.name,
    test: mode === 'test' || body.test === true,
    group_id: group,
    timezone: body.timezone ?? work.caller.org.timezone,
    starts_at: body.starts_at ?? null,
    ends_at: body.ends_at ?? null,
    venue: body.venue ?? null,
    currency: body.currency ?? defaults.currency,
    capacity: body.capacity ?? null,
    ticketing: body.ticketing ?? 'per_person',
    language: body.language ?? defaults.language,
    terms: body.terms ?? null,
    description: body.description ?? null,
    listed: body.listed ?? true,
    payment_instructions: body.payment_instructions ?? null,
    self_service: JSON.stringify(mergeSelfService(DEFAULT_SELF_SERVICE, body.self_service)),
    registration: JSON.stringify(registration),
    door: JSON.stringify({ ...DEFAULT_DOOR_RULES, ...body.door }),
    created_at: stamp,
    updated_at: stamp,
  });
  await insertRow(tx, 'event_clocks', { org_id: org, event_id: id, at: stamp, counted_at: stamp });
  const event = eventShape((await findEvent(tx, work.caller, toUlid(id), 'change'))!, work.links);
  work.changed({ kind: 'event', id, event: id, group, changes: diff(null, event) });
  return event;
}

/** The event as it is now that the organization's clock is held: it may have changed since the path was resolved. */
export async function reread(work: Work, found: EventRow): Promise<EventRow> {
  return (await findEvent(work.tx, work.caller, toUlid(found.id), 'change')) ?? refuse('not_found');
}

/** Reads the event once more, writes its audit entry and makes the answer. */
async function answerChanged(work: Work, before: EventRow): Promise<Event> {
  await touchWorld(work.tx, work.org, before.id);
  const after = await reread(work, before);
  work.changed({
    kind: 'event',
    id: before.id,
    event: before.id,
    group: after.group_id,
    changes: diff(eventShape(before, work.links), eventShape(after, work.links)),
    ...(!resets(before, after) && { was: eventShape(before, work.links) }),
  });
  return eventShape(after, work.links);
}

/**
 * Takes the event's clock, then the organization's. The event's comes first everywhere (lock order); whoever registers holds it
 * while reading the event's rules and capacity.
 */
export async function holdClocks({ tx, org }: Work, event: EventRow): Promise<{ inEvent: string; stamp: string }> {
  const inEvent = await stampEvent(tx, org, event.id);
  return { inEvent, stamp: await stampOrganization(tx, org) };
}

export async function changeEvent(work: Work, found: EventRow, body: EventChange): Promise<Event> {
  const { tx, org } = work;
  const { inEvent, stamp } = await holdClocks(work, found);
  const before = await reread(work, found);
  const group = body.group === undefined ? before.group_id : await groupOf(work, body.group);
  if (body.code !== undefined && body.code !== before.code)
    await freeCode({ code: body.code, name: '', fallback: '' }, codeTaken(work, before.id));
  const registration = mergeRules(before.registration, body.registration);
  requireValid(
    eventFaults({
      starts_at: body.starts_at === undefined ? before.set_starts_at : body.starts_at,
      ends_at: body.ends_at === undefined ? before.set_ends_at : body.ends_at,
      registration,
    }),
  );
  await updateRow(tx, 'events', sql`org_id = ${org} and id = ${before.id}`, {
    ...body,
    group: undefined,
    group_id: group,
    registration: JSON.stringify(registration),
    self_service: JSON.stringify(mergeSelfService(before.self_service, body.self_service)),
    door: JSON.stringify({ ...before.door, ...body.door }),
    ...(body.timezone !== undefined && (await timesOfDays(work, before.id, body.timezone))),
    updated_at: stamp,
  });
  if (group !== before.group_id) await noteEventLeft(tx, org, stamp, before.id, { was: before.group_id, is: group });
  if (body.timezone !== undefined && body.timezone !== before.timezone) await touchDays(work, before, inEvent);
  if (body.code !== undefined && body.code !== before.code) await touchListeners(work, before, stamp);
  return answerChanged(work, before);
}

/** Gives the event another picture, or none. `replace` stores or removes it (areas/pictures) and returns its id. */
export async function setImage(work: Work, found: EventRow, replace: () => Promise<Id | null>): Promise<Event> {
  const { tx, org } = work;
  const { stamp } = await holdClocks(work, found);
  const before = await reread(work, found);
  const image_id = await replace();
  if (image_id === before.image_id) {
    work.changed(NOTHING);
    return eventShape(before, work.links);
  }
  await updateRow(tx, 'events', sql`org_id = ${org} and id = ${before.id}`, { image_id, updated_at: stamp });
  return answerChanged(work, before);
}

/** Stamps the days without times of their own: they begin and end at local midnight, which moves with the time zone. */
async function touchDays({ tx, org }: Work, event: EventRow, stamp: string): Promise<void> {
  await tx.run(sql`
    update days set updated_at = ${stamp}
    where org_id = ${org} and event_id = ${event.id} and (opens_at is null or closes_at is null)`);
}

/** Stamps the webhook endpoints that are limited to the event: they show its code. */
async function touchListeners({ tx, org }: Work, event: EventRow, stamp: string): Promise<void> {
  await tx.run(
    sql`update webhook_endpoints set updated_at = ${stamp} where org_id = ${org} and event_id = ${event.id}`,
  );
}

export async function moveEvent(work: Work, found: EventRow, move: Move): Promise<Event> {
  const { tx, org } = work;
  if (move === 'publish') work.license.requirePublishable();
  const { stamp } = await holdClocks(work, found);
  const before = await reread(work, found);
  const { from, to } = MOVES[move];
  if (!(from as readonly string[]).includes(before.status)) {
    refuse('invalid_state', {
      message: `The event is ${before.status}. Only an event that is ${from.join(' or ')} can be ${to}.`,
    });
  }
  if (move === 'publish') await requireStructure(work, before);
  await updateRow(tx, 'events', sql`org_id = ${org} and id = ${before.id}`, { status: to, updated_at: stamp });
  return answerChanged(work, before);
}

async function requireStructure({ tx, org }: Work, event: EventRow): Promise<void> {
  const has = await tx.one<{ day: boolean; type: boolean }>(sql`
    select exists (select from days where org_id = ${org} and event_id = ${event.id}) as day,
      exists (select from attendee_types where org_id = ${org} and event_id = ${event.id}) as type`);
  const missing = [!has.day && 'a day', !has.type && 'an attendee type'].filter(Boolean);
  if (missing.length > 0)
    refuse('invalid_state', { message: `The event needs ${missing.join(' and ')} before it can be published.` });
}
