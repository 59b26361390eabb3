import { DAY, HOUR } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { holderOf } from '../../road/for-areas/holder.ts';
import { MIN_SCANNER_VERSION } from '../../road/gate/scanners.ts';
import type { Call } from '../../road/operation.ts';
import type { Reference } from '../../road/request/reference.ts';
import { sql } from '../../store/sql.ts';
import { iso } from '../../store/stamps.ts';
import { attendeeTypes, checkInPoints, days, type EventRow, eventShape } from '../events/index.ts';
import { worldFor } from './checkins.ts';
import { asOf, countRoster } from './roster.ts';
import type { RosterReach } from './roster-reach.ts';
import { minScannerVersion } from './scanner-version.ts';
import { type ScanWorld, versionOf } from './world.ts';

type ManifestCall = Call<{ event: Reference<EventRow> }, unknown, undefined>;

/**
 * A link works for a day. The manifest gets a new link every 12 hours, so that no scanner holds one that is about to expire.
 */
const LINK_LIFE = DAY;
const LINK_RENEWAL = 12 * HOUR;

export const reachOf = ({ org, caller, mode, at }: ManifestCall): RosterReach => ({
  org,
  event: at.event.id,
  group: caller.group?.id ?? null,
  mode,
});

/**
 * The manifest's `ETag`. It costs one small query and changes with the event's structure, the groups, the caller and the link;
 * changes of the roster are asked for with `since`.
 */
export async function manifestTag(call: ManifestCall): Promise<string> {
  const { event } = call.at;
  const { v } = await call.tx.one<{ v: number }>(
    sql`select groups_version as v from organizations where id = ${call.org}`,
  );
  const linkPeriod = Math.floor(call.tx.clock.now().getTime() / LINK_RENEWAL);
  return [
    versionOf(event, v),
    event.id.slice(-8),
    call.caller.group?.id.slice(-8) ?? 'all',
    call.mode,
    call.caller.actor.id?.slice(-8), // the manifest holds a link that was made for this caller
    MIN_SCANNER_VERSION,
    linkPeriod,
  ].join('-');
}

export async function manifest(call: ManifestCall) {
  const { tx, at } = call;
  const { event } = at;
  const reach = reachOf(call);
  const world = await worldFor(call, event);
  const expires = Math.floor(tx.clock.now().getTime() / LINK_RENEWAL) * LINK_RENEWAL + LINK_LIFE;
  const as_of = await asOf(tx, reach);
  const now = tx.clock.now();
  return {
    event: eventShape(event, call.links),
    days: [...world.days.values()].map((day) => days.part.shape(day, event, now)),
    check_in_points: [...world.points.values()].map((point) => checkInPoints.part.shape(point, event, now)),
    // With prices of the moment, the manifest's `ETag` would have to change whenever one of them does.
    attendee_types: [...world.types.values()].map((type) => attendeeTypes.lasting(type, event, now)),
    questions: world.doorQuestions.map(({ code, label, kind }) => ({ code, label, kind })),
    group: narrowedTo(world, reach),
    groups: groupsFor(world, reach).map((group) => ({
      code: group.code,
      name: group.name,
      parent: group.parent_id === null ? null : (world.groups.get(group.parent_id)?.code ?? null),
    })),
    products: [...world.askedProducts.values()].map(({ code, name }) => ({ code, name })),
    roster: {
      url: call.links.make({ kind: 'roster', expires, ...reach, holder: holderOf(call.caller) }),
      expires_at: iso(new Date(expires)),
      count: await countRoster(tx, reach),
      as_of,
    },
    min_sw_version: minScannerVersion(world),
    server_time: iso(tx.clock.now()),
  };
}

/** The group that the roster is limited to; null: it is of the whole event. */
function narrowedTo(world: ScanWorld, { group }: RosterReach) {
  const found = group === null ? undefined : world.groups.get(group);
  return found === undefined ? null : { code: found.code, name: found.name };
}

/** A caller limited to a group sees that group, the groups below and above it, and those that the policies name. */
function groupsFor(world: ScanWorld, reach: RosterReach) {
  const all = [...world.groups.values()];
  if (reach.group === null) return all;
  const path = (id: Id | null): Id[] => (id === null ? [] : [...path(world.groups.get(id)?.parent_id ?? null), id]);
  const named = new Set([...world.points.values()].flatMap((point) => point.group_ids ?? []));
  const above = new Set(path(reach.group));
  return all.filter((group) => path(group.id).includes(reach.group!) || above.has(group.id) || named.has(group.id));
}
