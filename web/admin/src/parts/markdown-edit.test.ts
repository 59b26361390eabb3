import { describe, expect, test } from 'vitest';
import { type Edit, editBy, insertAt, type Tool } from './markdown-edit.ts';

/** The selection is between the bars, before and after. */
function parse(marked: string) {
  const from = marked.indexOf('|');
  const to = marked.lastIndexOf('|') - (marked.lastIndexOf('|') === from ? 0 : 1);
  return { text: marked.replaceAll('|', ''), from, to };
}
function apply(text: string, { from, to, insert, select: [first, last] }: Edit): string {
  const next = text.slice(0, from) + insert + text.slice(to);
  return first === last
    ? `${next.slice(0, first)}|${next.slice(first)}`
    : `${next.slice(0, first)}|${next.slice(first, last)}|${next.slice(last)}`;
}
const by = (tool: Tool, marked: string) => apply(parse(marked).text, editBy(tool, parse(marked)));

describe.each<[Tool, [before: string, after: string][]]>([
  [
    'bold',
    [
      ['We open |at nine|.', 'We open **|at nine|**.'],
      ['We open **|at nine|**.', 'We open |at nine|.'],
      ['We open |**at nine**|.', 'We open |at nine|.'],
      ['We |open |at nine.', 'We **|open|** at nine.'],
      ['We open |', 'We open **|**'],
      ['*|both|*', '***|both|***'],
      ['|one\n\ntwo|', '|**one**\n\n**two**|'],
    ],
  ],
  [
    'italic',
    [
      ['|now|', '*|now|*'],
      ['*|now|*', '|now|'],
      ['**|now|**', '***|now|***'],
      ['***|now|***', '**|now|**'],
    ],
  ],
  [
    'heading',
    [
      ['Hello\nPro|gramme', 'Hello\n# Programme|'],
      ['# Pro|gramme', 'Programme|'],
      ['- Pro|gramme', '# Programme|'],
    ],
  ],
  [
    'list',
    [
      ['|one\n\ntwo|\nthree', '|- one\n\n- two|\nthree'],
      ['|- one\n- two|', '|one\ntwo|'],
      ['|', '- |'],
    ],
  ],
  [
    'link',
    [
      ['our |page|', 'our [page](|https://|)'],
      ['|https://example.org|', '[|](https://example.org)'],
      ['|', '[|](https://)'],
    ],
  ],
])('%s', (tool, cases) => {
  test.each(cases)('%j', (before, after) => expect(by(tool, before)).toBe(after));
});

test('a placeholder takes the place of the selection', () => {
  const at = parse('Hello |you|!');
  expect(apply(at.text, insertAt(at, '{{first_name}}'))).toBe('Hello {{first_name}}|!');
});
