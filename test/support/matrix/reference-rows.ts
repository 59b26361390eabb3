import type { ReferenceKind } from '@turnout/contract';
import { expect } from 'vitest';
import type { Operation } from '../../../server/src/road/operation.ts';
import {
  type As,
  arrange,
  arrangeWorking,
  canWork,
  faulty,
  type Mount,
  pathOfOperation,
  type Row,
  refused,
  type Subject,
  send,
  worked,
} from './calls.ts';
import { fixtureOf, isMade, isPersonal, type Made, type Place } from './fixtures.ts';
import { fieldOf, pathOf, type Spot, spotsOf, withReference } from './schema.ts';
import { specialOf } from './specials.ts';
import { CITY, HOME, OTHER, SOUTH, type World } from './world.ts';

type Caller = (world: World) => Promise<As>;
export interface Callers {
  /** With all rights in the home organization. */
  full: Caller;
  /** With all rights in one of its groups. */
  limited: (world: World, group: string) => Promise<As>;
}

const swapCase = (text: string): string =>
  [...text].map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase())).join('');

/** How a reference may be spelled. */
const SPELLINGS: Record<string, (made: Made) => string | null> = {
  'by id': (made) => made.id,
  'by id in lower case': (made) => made.id.toLowerCase(),
  'by code': (made) => made.code,
  'by code in another case': (made) => (made.code === null ? null : swapCase(made.code)),
};
const BOTH = ['by id', 'by code'] as const;
const spell = (how: string, made: Made): string => {
  const text = SPELLINGS[how]!(made);
  if (text === null) throw new Error('The reference may be a code, but the fixture gives none.');
  return text;
};
const spellingsOf = (byCode: boolean): string[] => Object.keys(SPELLINGS).filter((how) => byCode || /by id/.test(how));
/** None of these exists. The last ones must not lead to an error in the database. */
const NOBODY: Record<string, (world: World) => string> = {
  'an unknown id': (world) => world.unknown().id,
  'an unknown code': () => 'no-such-code',
  'a text that is no code': () => 'no such / code ’%',
  'a text with U+0000': () => 'no\u0000such',
  'a text without end': () => 'a'.repeat(600),
};

/** Further mounts use the same code. There, only access is tested again, and not the spellings of references. */
const nobodyOn = (first: boolean) => Object.entries(NOBODY).slice(0, first ? undefined : 1);
const bothOn = (first: boolean, codes: boolean) => BOTH.slice(0, first && codes ? undefined : 1);

/** Every `{name}` of the path: in each spelling, unknown, of another organization, of another event. */
export function pathRows(op: Operation, mount: Mount, { full }: Callers, first: boolean): Row[] {
  const rows: Row[] = [];
  const row = (name: string, run: Row['run']) => rows.push({ name, run });
  const path = pathOfOperation(op);
  for (const [name, kind] of path) {
    const { byCode } = op.at[name]!;
    const gone = async (world: World, ref: string) => {
      const subject = await arrange(world, op);
      refused(
        op,
        await send(world, op, mount, await full(world), subject, { refs: { [name]: ref } }),
        404,
        'not_found',
      );
    };
    for (const [what, ref] of nobodyOn(first)) {
      // That nobody reaches anything by an unknown id is tested for every operation, what a text may look like for every reference.
      const shared = what === 'an unknown id' ? {} : { byReference: op.at[name]! };
      rows.push({ name: `{${name}}: ${what}`, run: (world) => gone(world, ref(world)), ...shared });
    }
    const fixture = fixtureOf(kind);
    if (!isMade(fixture)) continue;
    for (const how of bothOn(first, byCode)) {
      row(`{${name}}: another organization’s, ${how}`, async (world) =>
        gone(world, spell(how, await world.standing(kind, OTHER))),
      );
      if (fixture.inside !== null && path.some(([, other]) => other === fixture.inside)) {
        row(`{${name}}: another ${fixture.inside}’s, ${how}`, async (world) =>
          gone(world, spell(how, await world.keep(`stray ${kind}`, () => world.make(kind, HOME)))),
        );
      }
    }
    for (const how of first && canWork(op) ? spellingsOf(byCode) : []) {
      row(`{${name}}: ${how}: works`, async (world) => {
        const subject = await arrangeWorking(world, op);
        const made = subject.path[name]!;
        const reply = await send(world, op, mount, await full(world), subject, { refs: { [name]: spell(how, made) } });
        worked(op, reply);
        if (op.path.endsWith(`{${name}}`) && reply.status < 300 && reply.body !== null)
          expect(reply.body.id).toBe(made.id);
      });
    }
  }
  if (path.length > 0 && canWork(op)) {
    row('a path of another organization', async (world) => {
      const subject = await arrange(world, op, { place: OTHER });
      refused(op, await send(world, op, mount, await full(world), subject), 404, 'not_found');
    });
  }
  return rows;
}

/** The same for every reference in the body or query, except that an unknown one is 400 with its path. */
export function bodyRows(op: Operation, mount: Mount, callers: Callers, first: boolean): Row[] {
  const of = (part: 'body' | 'query') =>
    spotsOf(op[part]).flatMap((spot) => spotRows(op, mount, callers, part, spot, first));
  return canWork(op) ? [...of('body'), ...of('query')] : [];
}

function spotRows(
  op: Operation,
  mount: Mount,
  { full, limited }: Callers,
  part: 'body' | 'query',
  spot: Spot,
  first: boolean,
): Row[] {
  const fixture = fixtureOf(spot.kind);
  if (!isMade(fixture)) return [];
  const rows: Row[] = [];
  const field = `${part} ${fieldOf(spot)}`;
  const row = (name: string, run: Row['run']) => rows.push({ name: `${field}: ${name}`, run });
  const special = specialOf(op.id, fieldOf(spot));
  const inOrganization = (world: World, place: Place, subject: Subject) =>
    typeof special.referred === 'function'
      ? special.referred(world.tools(place), subject.parents)
      : world.make(spot.kind, place, subject.parents, special.referred);
  /** Sends a valid request with the reference that `refer` returns in this place. */
  const ask = async (
    world: World,
    as: As,
    refer: (subject: Subject) => Promise<string> | string,
    { place = HOME, working = false } = {},
  ) => {
    const subject = await (working ? arrangeWorking : arrange)(world, op, { place, field: fieldOf(spot) });
    const ref = await refer(subject);
    const sent =
      part === 'query'
        ? { query: withReference({}, spot, ref) as Record<string, string> }
        : { body: withReference(subject.body, spot, ref) };
    return send(world, op, mount, as, subject, sent);
  };

  for (const how of first ? spellingsOf(fixture.codes) : []) {
    row(`${how}: works`, async (world) => {
      const refer = async (subject: Subject) => spell(how, await inOrganization(world, HOME, subject));
      worked(op, await ask(world, await full(world), refer, { working: true }));
    });
  }
  for (const [what, ref] of nobodyOn(first)) {
    // A JSON body with U+0000 is refused before references are looked up; the answer is the same.
    row(what, async (world) => faulty(op, await ask(world, await full(world), () => ref(world)), pathOf(spot)));
  }
  for (const how of bothOn(first, fixture.codes)) {
    row(`another organization’s, ${how}`, async (world) => {
      const refer = async () => spell(how, await world.standing(spot.kind, OTHER));
      faulty(op, await ask(world, await full(world), refer), pathOf(spot));
    });
    if (fixture.inside !== null && pathOfOperation(op).some(([, kind]) => kind === fixture.inside)) {
      row(`another ${fixture.inside}’s, ${how}`, async (world) => {
        const stray = await world.keep(`stray ${spot.kind}`, () => world.make(spot.kind, HOME));
        faulty(op, await ask(world, await full(world), () => spell(how, stray)), pathOf(spot));
      });
    }
    if (!fixture.grouped || op.organizationWide === true) continue;
    row(`another group’s, ${how}`, async (world) => {
      const as = await limited(world, 'home-north');
      // One event has people of several groups, so they can be of the very event of the path, which the caller reaches.
      const beside = isPersonal(fixture) && (op.method === 'GET' || special.inEventsAbove === 'allowed');
      const place = beside ? HOME : CITY;
      const refer = async ({ parents }: Subject) =>
        spell(how, beside ? await world.make(spot.kind, SOUTH, parents) : await world.standing(spot.kind, SOUTH));
      if (special.reach === 'organization') worked(op, await ask(world, as, refer, { place, working: true }));
      else faulty(op, await ask(world, as, refer, { place }), pathOf(spot));
    });
  }
  if (fixture.grouped && op.organizationWide !== true) {
    row('own group’s: works', async (world) => {
      const refer = async (subject: Subject) => (await inOrganization(world, CITY, subject)).id;
      worked(op, await ask(world, await limited(world, 'home-north'), refer, { place: CITY, working: true }));
    });
  }
  return rows;
}

export const kindsOf = (op: Operation): ReferenceKind[] => [
  ...pathOfOperation(op).map(([, kind]) => kind),
  ...[...spotsOf(op.body), ...spotsOf(op.query)].map((spot) => spot.kind),
];
