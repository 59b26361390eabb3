import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longestStall } from '../../../../test/support/stall.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { Fair } from './communications.support.ts';

/** Texts of the longest allowed size in the most expensive shapes: none may stall the server for seconds. */
const SIZE = 20_000;
const fill = (piece: string, size = SIZE) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
const STALL = 1500;

let t: TestTurnout;
let fair: Fair;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  fair = await Fair.open(t, (await t.key('acme')).secret, 'fair');
});
afterAll(() => t.stop());

test('faults in placeholders are reported with their position, up to a limit', async () => {
  const reply = await fair.call('POST', '/communications', {
    subject: 'Hello',
    text: `one {{two}}\n{{ three\n${fill('{{\n', 300)}`,
  });
  expect(reply.status).toBe(400);
  const { details } = reply.body.error;
  expect(details).toHaveLength(21);
  expect(details[0].message).toContain('{{two}} at line 1, character 5');
  expect(details[1].message).toContain('at line 2, character 1');
  expect(details[2].message).toContain('at line 3, character 1');
  expect(details[20].message).toContain('has more wrong placeholders');
});

describe('does not stall others', () => {
  test.each(['{{\n', '{{', '{{x}}\n', '{{a|', '{{a}', 'a\u0315\u0300', '\u0315\u0300', '\u200b \u00a0', '\n', '\r'])(
    'a text of %j, drafted',
    async (piece) => {
      const stall = await longestStall(() =>
        fair.call('POST', '/communications', { subject: 'Hello', text: fill(piece) }),
      );
      expect(stall).toBeLessThan(STALL);
    },
  );

  test.each([
    '**',
    '*',
    '* ',
    '**a',
    '*a',
    '** **',
    '[',
    '[a](',
    '[a](https://',
    '[a](https://b',
    '](',
    'https://',
    'https://a/',
    'https://a/,',
    'https://a?[',
    '- **',
    '- a\n',
    '1. ',
    '# a\n',
    '> ',
    '_a_',
    '`',
    '<b>',
    '&amp;',
    '{{first_name|*',
    '{{first_name}}',
    '*{{first_name}}*',
    '[{{days}}](https://a/{{days}})\n',
    'a\n\n',
    '\u202e',
  ])('Markdown of %j, drafted and looked at', async (piece) => {
    const stall = await longestStall(async () => {
      const draft = await fair.call('POST', '/communications', { subject: 'Hello', text: `.${fill(piece, SIZE - 1)}` });
      if (draft.status === 201) expect((await fair.act(draft.body.id, 'preview')).status).toBe(200);
    });
    expect(stall).toBeLessThan(STALL);
  });
});
