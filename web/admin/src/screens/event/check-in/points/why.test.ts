import { parseCases, type Reason, replayLocally } from '@turnout/checkin';
import golden from '@turnout/checkin/scan-cases.json';
import { type Language, Words } from '@turnout/words';
import { beforeAll, describe, expect, test } from 'vitest';
import { fullPolicy } from '../../../../../../../packages/checkin/src/world.ts';
import { type Parts, simulate, worldOf } from './simulate.ts';
import { whyOf } from './why.ts';

const parsed = parseCases(golden);
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
const file = parsed.value;
const points = file.world.check_in_points.map((point) => ({
  ...{ id: point.code, code: point.code, name: point.name ?? point.code, kind: point.kind },
  policy: fullPolicy(point.kind, point.policy),
}));
const { days } = file.world;
const world = worldOf({
  ...{ timezone: file.world.timezone, days, types: file.world.attendee_types, points },
  groups: file.world.groups.map((group) => ({ parent: null, ...group })),
  products: file.world.products ?? [],
} as unknown as Parts);

const called = (what: string) => (code: string) => `${what} ${code}`;
const names = {
  type: called('type'),
  group: called('group'),
  day: called('day'),
  product: called('product'),
  point: called('point'),
};

/** Why each golden case is refused, in the words of a language, by its reason. The simulator knows tickets of one person. */
function whysIn(words: Words): Map<Reason, Set<string>> {
  const whys = new Map<Reason, Set<string>>();
  replayLocally(file, (_world, scan) => {
    const { decision } = simulate(world, scan);
    const { reason } = decision;
    const point = points.find(({ code }) => code === scan.check_in_point);
    if (reason === null || scan.ticket?.people.length !== 1 || point === undefined) return decision;
    const text = whyOf(
      decision,
      { ticket: { ...scan.ticket, registration: 'waitlisted' }, point: point as never },
      {
        ...{ timezone: file.world.timezone, statusText: called('state') },
        t: words.in('door'),
        writing: { t: words.in('policy'), formats: words.formats, names },
        days: days.map((day) => ({ locked_at: null, ...day })) as never,
      },
    );
    whys.set(reason, (whys.get(reason) ?? new Set()).add(text.replaceAll(/[\u00a0\u202f]/g, ' ')));
    return decision;
  });
  return whys;
}

describe.each<Language>(['en', 'de', 'fr', 'es'])('why the door refuses, in %s', (language) => {
  const words = new Words();
  beforeAll(async () => {
    await words.speak(language);
    await words.need('door', 'policy', 'nouns');
  });
  test('every reason of the golden cases is told, with nothing left unfilled', () => {
    const whys = whysIn(words);
    expect(whys.size).toBeGreaterThanOrEqual(10);
    for (const [reason, texts] of whys) {
      expect([...texts].join(' '), reason).not.toMatch(/[{}]|undefined|null|why\.|^\s*$/);
      expect(
        [...texts].every((text) => text !== ''),
        reason,
      ).toBe(true);
    }
  });
});

describe('the values that made the rule decide', () => {
  const words = new Words();
  let whys: Map<Reason, Set<string>>;
  beforeAll(async () => {
    await words.speak('en');
    await words.need('door', 'policy', 'nouns');
    whys = whysIn(words);
  });
  test.each<[Reason, RegExp]>([
    ['day_not_on_ticket', /^The ticket is for day .+, not for day .+\.$/],
    ['not_confirmed', /^The registration isn’t confirmed: state waitlisted\.$/],
    ['type_not_admitted', /^Admitted here: type .+\. This person: type .+\.$/],
    ['group_not_admitted', /^Admitted here: group .+\. This person: (group .+|none)\.$/],
    ['limit', /^Admitted .+, point .+\.$/],
    ['capacity', /\d/],
  ])('%s', (reason, text) => {
    const found = [...(whys.get(reason) ?? [])];
    expect(found).not.toEqual([]);
    for (const one of found) expect(one).toMatch(text);
  });
});
