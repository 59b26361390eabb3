import { describe, expect, test } from 'vitest';
import { digitsOf, moneyText, parseMoney } from './money.ts';

describe('an amount as people type it', () => {
  test.each([
    ['25', 'en', 2500],
    ['25.5', 'en', 2550],
    ['1,234.50', 'en', 123_450],
    ['1,234', 'en', 123_400],
    ['€ 25.00', 'en', 2500],
    ['25 EUR', 'en', 2500],
    ['.5', 'en', 50],
    ['€.5', 'en', 50],
    ['Fr. 5.50', 'de-CH', 550],
    ['Fr.5', 'de-CH', 500],
    ['25', 'de', 2500],
    ['25,50', 'de', 2550],
    ['1.234,50 €', 'de', 123_450],
    ['1.234', 'de', 123_400],
    ['1.234.567', 'de', 123_456_700],
    // Nobody groups two digits, so this can only mean one thing, whatever the language.
    ['25.50', 'de', 2550],
    ['25,50', 'en', 2550],
    ['1,234.50', 'de', 123_450],
    ['1 234,50', 'fr', 123_450],
    ['1\u202f234,50\u00a0€', 'fr', 123_450],
    ["1'234.50", 'de-CH', 123_450],
    ['1’234.50 Fr.', 'de-CH', 123_450],
    ['-5', 'en', -500],
    ['−5,00', 'de', -500],
    ['0', 'es', 0],
    ['-0', 'es', 0],
  ])('%s in %s is %i', (text, locale, minor) => expect(parseMoney(text, 'EUR', locale)).toBe(minor));

  test.each([
    ['', 'en'],
    ['abc', 'en'],
    ['1.2.3', 'en'],
    ['12,34,56', 'en'],
    ['25.505', 'en'],
    ['25,505,5', 'de'],
    ['1,23.4', 'en'],
    ['.', 'de'],
    ['2 for 1', 'en'],
    ['99999999999', 'en'],
    ['1e5', 'en'],
  ])('%s in %s is none', (text, locale) => expect(parseMoney(text, 'EUR', locale)).toBeNull());

  test('a currency decides how many digits there are', () => {
    expect([digitsOf('EUR'), digitsOf('JPY'), digitsOf('KWD')]).toEqual([2, 0, 3]);
    expect(parseMoney('2500', 'JPY', 'en')).toBe(2500);
    expect(parseMoney('25.50', 'JPY', 'en')).toBeNull();
    expect(parseMoney('1.234', 'KWD', 'en')).toBe(1234);
    expect(parseMoney('1,234', 'KWD', 'de')).toBe(1234);
  });
});

test.each(['en', 'de', 'fr', 'es', 'de-CH', 'en-IN'])(
  'what is written into a field in %s is read back as the same',
  (locale) => {
    for (const currency of ['EUR', 'JPY', 'KWD']) {
      for (const minor of [0, 1, 99, 100, 2550, 123_456, 1_234_567, 2_147_483_647])
        expect(parseMoney(moneyText(minor, currency, locale), currency, locale), `${minor} ${currency}`).toBe(minor);
    }
  },
);
