import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import type { Id } from '../../common/ids.ts';
import type * as Clocks from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { ask, book, type Form, openPages, type Pages, PUBLIC_URL, summaryOf } from './pages.support.ts';

/**
 * Two people take the last place at the same moment, by forms that arrive at two processes. What decides is the event clock, as for every
 * registration (store/clocks.ts). These tests can switch it off and leave everything else as it is.
 */
const guard = vi.hoisted(() => ({ on: true }));
vi.mock('../../store/clocks.ts', async (importOriginal) => {
  const real = await importOriginal<typeof Clocks>();
  const unguarded = async (tx: Tx): Promise<string> =>
    (await tx.one<{ at: string }>(sql`select clock_timestamp() as at`)).at;
  return {
    ...real,
    stampEvent: (tx: Tx, org: Id, event: Id) => (guard.on ? real.stampEvent(tx, org, event) : unguarded(tx)),
    stampCounted: async (tx: Tx, org: Id, event: Id) =>
      guard.on ? real.stampCounted(tx, org, event) : { at: await unguarded(tx), counted: true },
  };
});

let x: Pages;
let second: TestTurnout;
beforeAll(async () => {
  x = await openPages();
  second = await startTest({ database: x.t.database, clock: x.clock, env: { PUBLIC_URL } });
});
afterAll(async () => {
  await second.stop();
  await x.t.stop();
});

const atSecond = (summary: Form) =>
  ask(second.url, summary.action, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(summary.sent('book')),
  });

/** How often both of two people got the last place, or neither, in as many tries. It can end when both got it. */
async function tries(
  count: number,
  untilBoth = false,
): Promise<{ both: number; neither: number; refused: Set<number> }> {
  const met = { both: 0, neither: 0, refused: new Set<number>() };
  for (let i = 0; i < count && !(untilBoth && met.both > 0); i += 1) {
    const { code } = await x.event({ event: { capacity: 1 } });
    const forms = [await summaryOf(x, code), await summaryOf(x, code, { 'c-first': 'Eve' })] as const;
    const answers = await Promise.all([book(x, forms[0]), atSecond(forms[1])]);
    const got = answers.filter(({ status }) => status === 303).length;
    expect(await x.registrations(code)).toHaveLength(got);
    met.both += Number(got === 2);
    met.neither += Number(got === 0);
    for (const { status } of answers) if (status !== 303) met.refused.add(status);
  }
  return met;
}

describe('the last place, two forms, two processes', () => {
  test('exactly one of them gets it, and the other is told', async () => {
    expect(await tries(8)).toEqual({ both: 0, neither: 0, refused: new Set([409]) });
  });

  test('one form that arrives at both registers once, and both answers lead to it', async () => {
    const { code } = await x.event();
    const summary = await summaryOf(x, code);
    const answers = await Promise.all([book(x, summary), atSecond(summary)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(answers[0]!.headers.location).toBe(answers[1]!.headers.location);
    expect(await x.registrations(code)).toHaveLength(1);
  });

  test('the control: with the guard off, both get it', async () => {
    guard.on = false;
    try {
      expect((await tries(50, true)).both).toBe(1);
    } finally {
      guard.on = true;
    }
  });
});
