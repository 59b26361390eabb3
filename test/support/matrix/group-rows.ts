import { expect } from 'vitest';
import type { Operation } from '../../../server/src/road/operation.ts';
import {
  arrange,
  arrangeWorking,
  canWork,
  type Mount,
  pathOfOperation,
  type Row,
  refused,
  type Subject,
  send,
  worked,
} from './calls.ts';
import { type Fixture, fixtureOf, isPersonal, KINDS, type Place } from './fixtures.ts';
import type { Callers } from './reference-rows.ts';
import { specialOf } from './specials.ts';
import { CITY, HOME, NORTH, OTHER, SOUTH, TEST, type World } from './world.ts';

/** A key or member limited to a group reaches its subtree, and can read events of the whole organization and of groups above. */
export function groupRows(op: Operation, mount: Mount, { limited }: Callers): Row[] {
  const rows: Row[] = [];
  const row = (name: string, run: Row['run']) => rows.push({ name, run });
  if (op.organizationWide === true) {
    const code = mount.by === 'key' ? 'api_key_scope' : 'permission_required';
    row('limited to a group', async (world) =>
      refused(
        op,
        await send(world, op, mount, await limited(world, 'home-north'), await arrange(world, op)),
        403,
        code,
      ),
    );
    return rows;
  }
  if (!canWork(op)) return rows;
  row('limited to a group, inside it: works', async (world) => {
    const subject = await arrangeWorking(world, op, { place: CITY });
    worked(op, await send(world, op, mount, await limited(world, 'home-north'), subject));
  });

  const grouped = pathOfOperation(op).filter(([, kind]) => (fixtureOf(kind) as Fixture).grouped);
  const last = grouped.at(-1);
  if (last === undefined) return rows;
  const [name, kind] = last;
  const one = `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
  const fixture = fixtureOf(kind) as Fixture;
  const gone = async (world: World, group: string, subject: Subject, refs = {}) =>
    refused(op, await send(world, op, mount, await limited(world, group), subject, { refs }), 404, 'not_found');
  for (const how of ['id', 'code'] as const) {
    if (how === 'code' && !op.at[name]!.byCode) continue;
    row(`limited to a group, another group’s ${kind} by ${how}`, async (world) => {
      const subject = await arrange(world, op, { place: SOUTH });
      await gone(world, 'home-north', subject, { [name]: subject.path[name]![how] });
    });
  }
  if (isPersonal(fixture)) {
    const inEventOfAll = (place: Place) => ({
      working: true,
      placeOf: (one: string) => (one === 'event' ? HOME : place),
    });
    row(`limited to a group, another group’s ${kind} in an event of the whole organization`, async (world) =>
      gone(world, 'home-north', await arrange(world, op, inEventOfAll(SOUTH))),
    );
    row(`limited to a group, its own ${kind} in an event of the whole organization: works`, async (world) => {
      const subject = await arrange(world, op, inEventOfAll(CITY));
      worked(op, await send(world, op, mount, await limited(world, 'home-north'), subject));
    });
  }
  if (kind === 'group') {
    row('limited to a group, the group above it', async (world) => {
      await gone(world, 'home-city', await arrange(world, op), { [name]: 'home-north' });
    });
  }
  const visible = fixture.above === 'read' && (op.method === 'GET' || specialOf(op.id).inEventsAbove === 'allowed');
  const higher: [string, string, Place][] = [
    ['of the whole organization', 'home-north', HOME],
    ['of a group above', 'home-city', NORTH],
  ];
  for (const [what, group, place] of higher) {
    row(`limited to a group, ${one} ${what}${visible ? ': works' : ''}`, async (world) => {
      if (!visible) return gone(world, group, await arrange(world, op, { place }));
      const subject = await arrangeWorking(world, op, { place, referPlace: CITY });
      worked(op, await send(world, op, mount, await limited(world, group), subject));
    });
  }
  return rows;
}

const isList = (op: Operation): boolean => {
  const fields = (op.reply as { properties?: object } | null)?.properties ?? {};
  return op.method === 'GET' && 'data' in fields;
};
/** Lists that are always short have no pages. */
const hasPages = (op: Operation): boolean => 'page' in (op.reply as { properties?: object }).properties!;

/** Lists show everything within the caller's reach and nothing else. */
export function listRows(op: Operation, mount: Mount, all: readonly Operation[], callers: Callers): Row[] {
  if (!isList(op) || !canWork(op)) return [];
  const rows: Row[] = [];
  const row = (name: string, run: Row['run']) => rows.push({ name, run });
  const whole = async (world: World, as: Awaited<ReturnType<Callers['full']>>, subject: Subject): Promise<string> => {
    let text = '';
    let query: Record<string, string> = hasPages(op) ? { limit: '200' } : {};
    for (let page = 0; page < 50; page += 1) {
      const reply = await send(world, op, mount, as, subject, { query });
      worked(op, reply);
      text += reply.text;
      if (!hasPages(op) || !reply.body.page.has_more) return text;
      query = { limit: '200', cursor: reply.body.page.next_cursor };
    }
    throw new Error('The list does not end.');
  };
  const showsNothingOf = (world: World, text: string, place: Place) => {
    const theirs = world.made.filter((one) => one.place.org === place.org && one.place.group === place.group);
    expect(theirs.length).toBeGreaterThan(0);
    expect(theirs.filter((one) => text.includes(one.id))).toEqual([]);
  };
  row('lists nothing of another organization', async (world) => {
    for (const kind of KINDS) await world.standing(kind, OTHER);
    showsNothingOf(world, await whole(world, await callers.full(world), await arrange(world, op)), OTHER);
  });
  const create = all.find((one) => one.method === 'POST' && one.path === op.path && mount.offers(one));
  if (create !== undefined) {
    row('lists what was created', async (world) => {
      const subject = await arrangeWorking(world, create);
      const reply = await send(world, create, mount, await callers.full(world), subject);
      worked(create, reply);
      expect(await whole(world, await callers.full(world), subject)).toContain(reply.body.id);
    });
  }
  if (op.organizationWide === true) return rows;
  row('limited to a group, lists nothing of another group', async (world) => {
    const event = await world.standing('event', HOME);
    for (const kind of KINDS) {
      await world.standing(kind, SOUTH);
      if (isPersonal(fixtureOf(kind) as Fixture)) await world.make(kind, SOUTH, { event });
    }
    const as = await callers.limited(world, 'home-north');
    showsNothingOf(world, await whole(world, as, await arrange(world, op, { place: CITY })), SOUTH);
    const wide = pathOfOperation(op).every(([, kind]) => (fixtureOf(kind) as Fixture).above === 'read');
    if (wide) showsNothingOf(world, await whole(world, as, await arrange(world, op)), SOUTH);
  });
  if (pathOfOperation(op).at(-1)?.[1] === 'event') {
    row('lists nothing that a test key made in a live event', async (world) => {
      const event = await world.standing('event', HOME);
      const made: string[] = [];
      for (const kind of KINDS) {
        if ((fixtureOf(kind) as Fixture).test === 'inside live')
          made.push((await world.make(kind, TEST, { event })).id);
      }
      const text = await whole(world, await callers.full(world), await arrange(world, op));
      expect(made.filter((id) => text.includes(id))).toEqual([]);
    });
  }
  return rows;
}
