import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withDecision } from '../engine/scan-answers.ts';
import type { PeopleQuestion, ScanTarget } from '../engine/types.ts';
import { hostOf, person, scanAnswer } from '../gallery/double.ts';
import { canBe, forget, hold, miss, missed, noAnswer, question, showAgain, shownAnswer, tell } from './door.ts';
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
    group: null,
    answers: [],
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

describe('a ticket that is held up while the question is open', () => {
  test('is said to be missed, however it came', async () => {
    await Promise.all([hold({ code: 'family' }), hold({ code: 'bo' })]);
    expect(missed.value).toBe(true);
    await hold({ code: 'family' }, { people: ['ada'] });
    await hold({ code: 'family' });
    expect(missed.value).toBe(false);
    miss({ code: 'bo' });
    expect(missed.value).toBe(true);
  });

  test('is not, if it is the one that the question is about, or if there is no question', async () => {
    miss({ code: 'bo' });
    await hold({ code: 'family' });
    miss({ code: ' FAMILY ' });
    expect(missed.value).toBe(false);
  });
});

describe('what a member can decide about a scan', () => {
  const refused = { admitted: false, result: 'duplicate', reason: 'limit' } as const;
  const some = scanAnswer('accepted', {
    people: [person(), person({ id: 'bo' }), person({ id: 'cy', ...refused })],
    checkins: ['ada', 'bo', 'cy'].map((id) => ({ id, attendee_id: id, admitted: id !== 'cy' })),
  });

  test('is to undo those who were admitted and to override those who were not, also if some are both', () => {
    expect([canBe('undo', some), canBe('override', some)]).toEqual([true, true]);
    expect([canBe('undo', BO), canBe('override', BO)]).toEqual([true, false]);
  });

  test('is to undo the next one after the first was undone, and nothing when all were', () => {
    const all = scanAnswer('accepted', { people: some.people.slice(0, 2), checkins: some.checkins.slice(0, 2) });
    const one = withDecision(all, 'ada', false, 'ada');
    expect([canBe('undo', one), canBe('override', one)]).toEqual([true, false]);
    const none = withDecision(one, 'bo', false, 'bo');
    expect([canBe('undo', none), canBe('override', none)]).toEqual([false, false]);
  });

  test('is nothing if the server has refused to record it', () => {
    expect(canBe('undo', { ...BO, notRecorded: true })).toBe(false);
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
