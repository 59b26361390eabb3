import { type Parsed, Reader, resultOf } from './parse.ts';
import { instant, isDate, isTimezone } from './time.ts';
import { LIMITS, POINT_KINDS, POLICY_FIELDS, REQUIREMENTS } from './vocabulary.ts';
import type { World } from './world.ts';

const CODE = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/i;

/** The ids and codes, in lower case, that references in a world may name. */
export interface KnownReferences {
  readonly days: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly products: ReadonlySet<string>;
  readonly points: ReadonlySet<string>;
  readonly zones: ReadonlySet<string>;
}

export function parseWorld(input: unknown): Parsed<World> {
  const reader = new Reader(input);
  readWorld(reader);
  return resultOf(reader, () => worldOf(input));
}

/** The world from an input in which `readWorld` found no fault. Unknown fields (a price, a capacity) stay for others to use. */
export function worldOf(input: unknown): World {
  const world = input as Partial<World> & Pick<World, 'timezone'>;
  return { days: [], attendee_types: [], groups: [], check_in_points: [], ...world };
}

export function readWorld(reader: Reader): KnownReferences {
  reader.object();
  const days = list(reader, 'days');
  const types = list(reader, 'attendee_types');
  const groups = list(reader, 'groups');
  const products = list(reader, 'products');
  const points = list(reader, 'check_in_points');
  const known = {
    days: namesOf(days),
    types: namesOf(types),
    groups: namesOf(groups),
    products: namesOf(products),
    points: namesOf(points),
    zones: namesOf(
      points.filter((point) => point.field('kind').value === 'zone'),
      false,
    ),
  };
  reader.field('timezone').textThat(isTimezone, 'must be a timezone, such as Europe/Berlin');
  for (const day of days) readDay(day);
  for (const type of types) {
    if (!type.field('days').missing) references(type.field('days'), known.days, 'day');
    if (!type.field('pass_days').missing) type.field('pass_days').whole(1);
  }
  for (const group of groups)
    if (!group.field('parent').missing) group.field('parent').reference(known.groups, 'group');
  findCircles(groups);
  for (const point of points) readPoint(point, known);
  return known;
}

function readDay(day: Reader): void {
  day.field('date').textThat(isDate, 'must be a date, such as 2027-06-12');
  const times = ['opens_at', 'closes_at', 'locked_at'].map((name) => {
    const time = day.field(name);
    return time.missing ? null : time.textThat(isInstant, MUST_BE_INSTANT);
  });
  const [opens, closes] = times;
  if (typeof opens === 'string' && typeof closes === 'string' && instant(closes) <= instant(opens)) {
    day.field('closes_at').fault('must be after opens_at');
  }
}

function readPoint(point: Reader, known: KnownReferences): void {
  const kind = point.field('kind');
  kind.oneOf(POINT_KINDS);
  const policy = point.field('policy');
  if (policy.missing || !policy.object()) return;
  // An unknown field is a fault, because it is a rule that this version would leave out of its decisions.
  for (const name of policy.names()) {
    if (!POLICY_FIELDS.includes(name.value as never)) name.fault('is not a field of a policy');
  }
  const given = (name: (typeof POLICY_FIELDS)[number], read: (field: Reader) => void): void => {
    const field = policy.field(name);
    if (!field.missing) read(field);
  };
  given('attendee_types', (field) => references(field, known.types, 'attendee type'));
  given('groups', (field) => references(field, known.groups, 'group'));
  given('days', (field) => references(field, known.days, 'day'));
  given('products', (field) => references(field, known.products, 'product'));
  given('opens_minutes_before', (field) => field.whole(0));
  given('closes_minutes_after', (field) => field.whole(0));
  given('limit', (field) => field.oneOf(LIMITS));
  given('cooldown_seconds', (field) => field.whole(0));
  given('requires', (field) => field.oneOf(REQUIREMENTS));
  given('capacity', (field) => (kind.value === 'zone' ? field.whole(0) : field.fault('is only for zones')));
  given('leaves', (field) => {
    if (kind.value === 'exit') field.reference(known.zones, 'zone');
    else field.fault('is only for exits');
  });
}

/** The items of a list; an item that is not an object is a fault. */
function list(world: Reader, name: string): readonly Reader[] {
  const field = world.field(name);
  return field.missing ? [] : field.items().filter((item) => item.object());
}

/** The ids and codes of things, in lower case. With `check`, a code that is not well formed or not unique is a fault. */
function namesOf(things: readonly Reader[], check = true): Set<string> {
  const names = new Set<string>();
  for (const thing of things) {
    const code = thing.field('code');
    const id = thing.field('id');
    if (check)
      code.textThat(isCode, 'must be a code of up to 63 letters, digits, - and _, and must not look like a ULID');
    if (check && !id.missing) id.text();
    for (const name of [code, id]) {
      if (typeof name.value !== 'string') continue;
      const spelling = name.value.toLowerCase();
      if (check && names.has(spelling)) name.fault(`${name.value} is already taken`);
      names.add(spelling);
    }
  }
  return names;
}

function findCircles(groups: readonly Reader[]): void {
  const parents = new Map<unknown, string>();
  for (const group of groups) {
    const parent = group.field('parent').value;
    if (typeof parent !== 'string') continue;
    for (const name of ['code', 'id']) parents.set(String(group.field(name).value).toLowerCase(), parent.toLowerCase());
  }
  for (const group of groups) {
    const own = String(group.field('code').value).toLowerCase();
    let above = parents.get(own);
    for (let steps = 0; above !== undefined && steps <= groups.length; steps += 1) above = parents.get(above);
    if (above !== undefined) group.field('parent').fault('must not lead back to the group itself');
  }
}

function references(field: Reader, known: ReadonlySet<string>, what: string): void {
  for (const item of field.items()) item.reference(known, what);
}

export const MUST_BE_INSTANT = 'must be an instant, such as 2027-06-12T09:00:00Z';

export function isInstant(text: string): boolean {
  return !Number.isNaN(instant(text));
}

function isCode(text: string): boolean {
  return CODE.test(text) && !ULID.test(text);
}
