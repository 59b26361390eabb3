import { expect, test } from 'vitest';
import { registrationCodeIn, ticketCode, ticketCodeIn, typedCode } from './ticket-code.ts';

const CODE = '7K2M9QX4R8TB3W6Y1Z5V0D4C8H2N';
const groups = CODE.match(/.{4}/g)!;

test.each([
  ['spaces', ' '],
  ['a no-break space', '\u00a0'],
  ['a thin space', '\u2009'],
  ['an ideographic space', '\u3000'],
  ['line breaks', '\r\n'],
  ['a zero-width space', '\u200b'],
  ['a byte order mark', '\ufeff'],
  ['hyphens', '-'],
  ['a soft hyphen', '\u00ad'],
  ['a left-to-right mark', '\u200e'],
  ['a word joiner', '\u2060'],
  ['a hyphen', '\u2010'],
  ['a no-break hyphen', '\u2011'],
  ['a figure dash', '\u2012'],
  ['an en dash', '\u2013'],
  ['an em dash', '\u2014'],
  ['a horizontal bar', '\u2015'],
  ['a minus', '\u2212'],
  ['a small em dash', '\ufe58'],
  ['a small hyphen', '\ufe63'],
  ['a full-width hyphen', '\uff0d'],
  ['dashes between spaces', ' – '],
])('a code is found with %s between its groups', (_what, between) => {
  expect(ticketCode(groups.join(between))).toBe(CODE);
  expect(ticketCode(between + groups.join(between).toLowerCase() + between)).toBe(CODE);
  expect(ticketCodeIn(between + groups.join(between).toLowerCase() + between)).toBe(CODE);
  expect(registrationCodeIn(`${between}7k2m9${between}qx4r8`)).toBe('7K2M9QX4R8');
});

test('no other characters are removed', () => {
  expect(ticketCode('7k2m.9qx4_r8tb/3w6y')).toBe('7K2M.9QX4_R8TB/3W6Y');
  expect(ticketCode(' - ')).toBe('');
});

test('each code is told by its form from the other and from anything else', () => {
  expect([ticketCodeIn('7K2M9QX4R8'), registrationCodeIn('7K2M9QX4R8')]).toEqual([null, '7K2M9QX4R8']);
  expect([ticketCodeIn(CODE), registrationCodeIn(CODE)]).toEqual([CODE, null]);
  for (const other of ['', 'Ada Lovelace', `${CODE}7`, 'ILOU0ILOU0', 'straße'])
    expect([ticketCodeIn(other), registrationCodeIn(other)]).toEqual([null, null]);
});

test('of a code that was typed, letters that no code has are the digits that they look like', () => {
  expect(typedCode('7k2m 9qx4 r8tb 3w6y lz5v od4c 8h2n')).toBe(CODE);
  expect(typedCode('oIlo0 11oo1')).toBe('0110011001');
  for (const other of ['Ada Lovelace', 'O-17', 'https://example.org', '']) expect(typedCode(other)).toBe(other);
});
