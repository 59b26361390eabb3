import type { AttendeeType, CaseFile, CheckInPoint, GoldenCase, Group, World } from '@turnout/checkin';
import { pointOf, prepareWorld } from '@turnout/checkin';
import { type Client, forEachAtOnce, type Json, Refused } from './replay-client.ts';

interface CreatedObject {
  id: string;
}
interface NamedObject {
  readonly id?: string;
  readonly code: string;
}

/** Translates the names that the file uses for a thing (its code or its own id) to the id that the API gave it. */
export class Names {
  readonly #ids = new Map<string, string>();

  add({ id, code }: NamedObject, made: string): void {
    for (const name of [code, id]) if (name !== undefined) this.#ids.set(name.toLowerCase(), made);
  }
  of(reference: string): string {
    return this.#ids.get(reference.toLowerCase()) ?? reference;
  }
  all(references: readonly string[]): string[] {
    return references.map((reference) => this.of(reference));
  }
}

/** The world of the file, built as an event through the API. */
export interface BuiltWorld {
  event: string;
  days: Names;
  types: Names;
  points: Names;
  groups: Names;
  products: Names;
  /** The ids of those products that are booked once for a whole registration. */
  wholeProducts: ReadonlySet<string>;
}

export const AT_ONCE = 8;

/**
 * Distributes the cases over events. Every case must begin without earlier admissions. Each case has new people, so most can share an
 * event. Only the people inside a zone with a capacity would count for the next case that scans there; such cases get another event.
 */
export function eventsFor({ world, cases }: CaseFile): GoldenCase[][] {
  const prepared = prepareWorld(world);
  const events: { counted: Set<string>; cases: GoldenCase[] }[] = [];
  for (const one of cases) {
    const points = one.scans.map((scan) => pointOf(prepared, scan.check_in_point));
    const zones = points.filter((point) => point.capacity !== null).map((point) => point.key);
    let event = events.find(({ counted }) => zones.every((zone) => !counted.has(zone)));
    if (event === undefined) {
      event = { counted: new Set(), cases: [] };
      events.push(event);
    }
    for (const zone of zones) event.counted.add(zone);
    event.cases.push(one);
  }
  return events.map((event) => event.cases);
}

/** What was created through the API and has to be removed at the end, whatever happens before. */
export class Remains {
  readonly #client: Client;
  readonly events: string[] = [];
  /** Parents before their children. */
  readonly groups: string[] = [];

  constructor(client: Client) {
    this.#client = client;
  }

  /** Archives and deletes. Returns what the API did not let us remove. */
  async clear(): Promise<string[]> {
    const kept: string[] = [];
    for (const event of this.events) {
      const archived = await this.#tried(() => this.#client.post(`/events/${event}/archive`));
      const deleted = archived === null ? await this.#tried(() => this.#client.delete(`/events/${event}`)) : archived;
      if (deleted !== null)
        kept.push(`the event ${event}, ${archived === null ? 'archived' : 'unchanged'} (${deleted})`);
    }
    for (const group of this.groups.toReversed()) {
      const deleted = await this.#tried(() => this.#client.delete(`/groups/${group}`));
      if (deleted !== null) kept.push(`the group ${group} (${deleted})`);
    }
    return kept;
  }

  async #tried(work: () => Promise<unknown>): Promise<string | null> {
    try {
      await work();
      return null;
    } catch (error) {
      return error instanceof Refused && error.status === 404 ? null : (error as Error).message;
    }
  }
}

/** Codes of groups are unique in the organization, so each run uses its own. A group is created after its parent. */
export async function buildGroups(client: Client, groups: readonly Group[], run: string, remains: Remains) {
  const names = new Names();
  const waiting = [...groups];
  const made = new Set<string>();
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ parent }) => parent == null || made.has(parent.toLowerCase()));
    const [group] = waiting.splice(next, 1);
    const { id } = await client.post<CreatedObject>('/groups', {
      code: `${run}-${made.size + 1}`,
      name: `${group!.name ?? group!.code} (golden cases)`,
      ...(group!.parent != null && { parent: names.of(group!.parent) }),
    });
    remains.groups.push(id);
    names.add(group!, id);
    for (const name of [group!.code, group!.id]) if (name !== undefined) made.add(name.toLowerCase());
  }
  return names;
}

/** Creates and publishes an event with the whole structure of the file: a test event, unless `test` is false. */
export async function buildEvent(
  client: Client,
  file: CaseFile,
  run: string,
  groups: Names,
  remains: Remains,
  test = true,
): Promise<BuiltWorld> {
  const { world } = file;
  const { id: event } = await client.post<CreatedObject>('/events', {
    code: `${run}-${remains.events.length + 1}`,
    name: 'Golden cases',
    test,
    ticketing: 'shared',
    timezone: world.timezone,
  });
  remains.events.push(event);
  const wholeProducts = new Set<string>();
  const built: BuiltWorld = {
    ...{ event, days: new Names(), types: new Names(), points: new Names(), groups },
    ...{ products: new Names(), wholeProducts },
  };
  const add = async (to: Names, path: string, thing: NamedObject, body: Json) => {
    to.add(thing, (await client.post<CreatedObject>(`/events/${event}/${path}`, { code: thing.code, ...body })).id);
  };

  await forEachAtOnce(world.days, AT_ONCE, ({ locked_at: _locked, ...day }) =>
    add(built.days, 'days', day, {
      name: day.name ?? day.code,
      date: day.date,
      ...(day.opens_at != null && { opens_at: day.opens_at }),
      ...(day.closes_at != null && { closes_at: day.closes_at }),
    }),
  );
  const prices = pricesOf(file);
  await forEachAtOnce(world.attendee_types, AT_ONCE, (type) =>
    add(built.types, 'attendee-types', type, {
      name: type.name ?? type.code,
      price_minor: prices.get(type) ?? 0,
      ...(type.days != null && { days: built.days.all(type.days) }),
      ...(type.pass_days != null && { pass_days: type.pass_days }),
    }),
  );
  await forEachAtOnce(world.products ?? [], AT_ONCE, async (product) => {
    const whole = (product as { per?: unknown }).per === 'registration';
    const body = { name: product.name ?? product.code, ...(whole && { per: 'registration' }) };
    await add(built.products, 'products', product, body);
    if (whole) wholeProducts.add(built.products.of(product.code));
  });
  // An exit names the zone that it leaves, so zones come first.
  for (const exits of [false, true]) {
    const points = world.check_in_points.filter((point) => (point.kind === 'exit') === exits);
    await forEachAtOnce(points, AT_ONCE, (point) =>
      add(built.points, 'check-in-points', point, {
        name: point.name ?? point.code,
        kind: point.kind,
        policy: policyOf(built, point),
      }),
    );
  }
  const locked = world.days.filter((day) => day.locked_at != null);
  await forEachAtOnce(locked, AT_ONCE, async (day) => {
    await client.post(`/events/${event}/days/${built.days.of(day.code)}/lock`, { at: day.locked_at });
  });
  await client.post(`/events/${event}/publish`);
  return built;
}

function policyOf({ days, types, groups, products, points }: BuiltWorld, { policy = {} }: CheckInPoint): Json {
  const { attendee_types, groups: admitted, days: open, products: asked, leaves, ...plain } = policy;
  return {
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value != null)),
    ...(attendee_types != null && { attendee_types: types.all(attendee_types) }),
    ...(admitted != null && { groups: groups.all(admitted) }),
    ...(open != null && { days: days.all(open) }),
    ...(asked != null && { products: products.all(asked) }),
    ...(leaves != null && { leaves: points.of(leaves) }),
  };
}

/** A person can only be unconfirmed if something is due. So the type of such a person needs a price: the file's, or ours. */
function pricesOf({ world, cases }: { world: World; cases: readonly GoldenCase[] }): Map<AttendeeType, number> {
  const owed = new Set<string>();
  for (const { tickets } of cases) {
    for (const person of tickets.flatMap((ticket) => ticket.people)) {
      if ((person.status ?? 'confirmed') !== 'confirmed') owed.add(person.attendee_type.toLowerCase());
    }
  }
  const prices = new Map<AttendeeType, number>();
  for (const type of world.attendee_types) {
    const given = Number((type as { price_minor?: unknown }).price_minor ?? 0);
    const owes = owed.has(type.code.toLowerCase()) || owed.has(type.id?.toLowerCase() ?? '');
    prices.set(type, given > 0 || !owes ? given : 1000);
  }
  return prices;
}
