import { expect, test } from 'vitest';
import { codeOf } from './code.ts';

test.each([
  ['Müller & Söhne e. V.', 'mueller-soehne-e-v'],
  ['Fête de l’Été', 'fete-de-l-ete'],
  ['  Lakeside   Fair 2031 ', 'lakeside-fair-2031'],
  ['Straße – Ærø', 'strasse-aero'],
  ['東京', ''],
  ['!!!', ''],
  [`${'long '.repeat(20)}`, 'long-long-long-long-long-long-long-long'],
])('the code of “%s” is “%s”', (name, code) => {
  expect(codeOf(name)).toBe(code);
  expect(code).toMatch(/^([a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?)?$/);
});
