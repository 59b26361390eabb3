import { expect, test } from 'vitest';
import { originsIn } from './origins.ts';

test('one site to a line; empty lines, slashes at the end and repeats are left out', () => {
  const text = ' https://a.example/ \n\nhttps://b.example:8443//\r\nhttps://a.example\nhttps://c.example/path\n';
  expect(originsIn(text)).toEqual(['https://a.example', 'https://b.example:8443', 'https://c.example/path']);
  expect(originsIn(' \n ')).toEqual([]);
});
