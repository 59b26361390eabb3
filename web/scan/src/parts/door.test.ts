import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PeopleQuestion, ScanTarget } from '../engine/types.ts';
import { hostOf, scanAnswer } from '../gallery/double.ts';
import { forget, hold, noAnswer, question, showAgain, shownAnswer, tell } from './door.ts';
import { engine, point } from './session.ts';

const BO = scanAnswer('accepted', { client_uuid: 'bo' });
const UNKNOWN = scanAnswer('unknown');
const ADA = scanAnswer('accepted', { client_uuid: 'ada' });
const FAMILY: PeopleQuestion = {
  ask: 'people',
  target: { code: 'family' },
  registration: null,
  people: ['ada', 'cy'].map((id) => ({
    id,
    first_name: id,
    last_name: 'Lovelace',
    attendee_type: 'Adult',
    inside: null,
  })),
};

/** What the page sent to the engine, in order. */
let targets: ScanTarget[];
beforeEach(async () => {
  targets = [];
  const made = await hostOf({ scans: { family: FAMILY, bo: BO, xbo: UNKNOWN, nbo: UNKNOWN } }).open('device-1', {
    takeOver: false,
  });
  engine.value = {
    ...made,
    scan: async (target, options) => {
      targets.push(target);
      return options.people === undefined ? made.scan(target, options) : ADA;
    },
  };
  point.value = 'gate';
});
afterEach(() => {
  forget();
  engine.value = null;
  point.value = null;
});

describe('the question who is here', () => {
  test.each([
    ['would be admitted', 'bo'],
    ['would have no answer', 'fails'],
  ])('stays until it is answered if a code that %s was read just before it opened', async (_, code) => {
    await Promise.all([hold({ code: 'family' }), hold({ code })]);
    expect(question.value).toEqual(FAMILY);
    expect([shownAnswer.value, noAnswer.value]).toEqual([null, null]);
    // Nobody was told anything about the other ticket, so nothing may be recorded about it.
    expect(targets).toEqual([FAMILY.target]);
    await hold(FAMILY.target, { people: ['ada'] });
    expect([question.value, shownAnswer.value]).toEqual([null, ADA]);
    await hold({ code: 'bo' });
    expect(shownAnswer.value).toEqual(BO);
  });

  test('stays if a member has decided about another scan meanwhile', async () => {
    await hold({ code: 'family' });
    tell(BO);
    expect(question.value).toEqual(FAMILY);
  });
});

describe('of what a scanner typed and can be read in several ways', () => {
  const codes = () => targets.map((target) => ('code' in target ? target.code : null));
  test.each([
    ['the first reading that is known is answered', 'xbo', ['nbo', 'bo', 'never'], ['xbo', 'nbo', 'bo'], BO],
    ['no other is asked about if the first is known', 'bo', ['xbo'], ['bo'], BO],
    ['the answer is that nobody knows it if no reading is known', 'xbo', ['nbo'], ['xbo', 'nbo'], UNKNOWN],
  ])('%s', async (_, code, otherwise, tried, answered) => {
    await hold({ code }, { otherwise });
    expect(codes()).toEqual(tried);
    expect(shownAnswer.value).toEqual(answered);
  });
});

test('an earlier scan is shown again, also if a later one has no answer', async () => {
  await hold({ code: 'fails' });
  expect(noAnswer.value).not.toBeNull();
  showAgain(BO);
  expect([shownAnswer.value, noAnswer.value]).toEqual([BO, null]);
});
