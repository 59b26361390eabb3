import { expect, test } from 'vitest';
import { readCsv, writeCsv } from './csv.ts';

test('reads what the server writes: a mark in front, quotes, line breaks and delimiters in cells', () => {
  expect(readCsv('\ufeff"Name";"Why"\r\n"Ada ""the first""; Countess";"a\nb"\r\n\r\nx;\r\n')).toEqual({
    head: ['Name', 'Why'],
    rows: [
      ['Ada "the first"; Countess', 'a\nb'],
      ['x', ''],
    ],
  });
});

test.each([',', ';', '\t', '|'])('finds the delimiter %j in the first line, outside of quotes', (delimiter) => {
  const text = ['"a, b; c"', 'd', 'e'].join(delimiter);
  expect(readCsv(`${text}\r\n1${delimiter}2${delimiter}3`)).toEqual({
    head: ['a, b; c', 'd', 'e'],
    rows: [['1', '2', '3']],
  });
});

test('a file without rows, and none at all', () => {
  expect(readCsv('a,b\r\n')).toEqual({ head: ['a', 'b'], rows: [] });
  expect(readCsv('')).toEqual({ head: [], rows: [] });
});

test('what is written is read back as the same', () => {
  const sheet = {
    head: ['a;b', 'c"d'],
    rows: [
      ['1,2', '"'],
      ['', 'line\nbreak'],
      ['=1+1', ' x '],
    ],
  };
  expect(readCsv(writeCsv(sheet))).toEqual(sheet);
});
