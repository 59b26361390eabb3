import { readdirSync, readFileSync } from 'node:fs';
import { DEFAULT_TERMINOLOGY, FAULT_RULES, REFUSALS } from '@turnout/contract';
import { describe, expect, test } from 'vitest';
import type { Area } from './areas.ts';
import { placeholdersOf, usedKeys } from './catalogues.support.ts';
import type { Catalogue, Message } from './message.ts';
import { chooseLanguage, LANGUAGES, Words } from './words.ts';

const HERE = new URL('./', import.meta.url);
const ROOT = new URL('../../../', HERE);
const areas = readdirSync(new URL('en/', HERE)).map((file) => file.replace(/\.ts$/, '') as Area);
const catalogue = async (language: string, area: string): Promise<Catalogue> =>
  (await import(new URL(`${language}/${area}.ts`, HERE).href)).default;
const textsOf = (message: Message): string[] => (typeof message === 'string' ? [message] : Object.values(message));

describe('every catalogue', () => {
  test('is there in every language, and in the list of areas', () => {
    for (const language of LANGUAGES) {
      expect(readdirSync(new URL(`${language}/`, HERE)).sort(), language).toEqual(
        areas.map((area) => `${area}.ts`).sort(),
      );
    }
    const list = readFileSync(new URL('areas.ts', HERE), 'utf8');
    expect([...list.matchAll(/from '\.\/en\/([\w-]+)\.ts'/g)].map((match) => match[1]).sort()).toEqual(
      [...areas].sort(),
    );
  });

  test.each(areas)('%s has the same keys and placeholders in every language, and no empty text', async (area) => {
    const english = await catalogue('en', area);
    for (const language of LANGUAGES) {
      const other = await catalogue(language, area);
      expect(Object.keys(other).sort(), language).toEqual(Object.keys(english).sort());
      for (const [key, message] of Object.entries(other)) {
        expect(placeholdersOf(message), `${language} ${area} ${key}`).toEqual(placeholdersOf(english[key]!));
        for (const text of textsOf(message)) expect(text.trim(), `${language} ${area} ${key}`).toBe(text);
        for (const text of textsOf(message)) expect(text, `${language} ${area} ${key}`).not.toBe('');
      }
    }
  });

  test.each(areas)('%s has the forms for numbers that its languages need', async (area) => {
    for (const language of LANGUAGES) {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.filter((form) => form !== 'many');
      for (const [key, message] of Object.entries(await catalogue(language, area))) {
        if (typeof message !== 'string')
          expect(Object.keys(message), `${language} ${key}`).toEqual(expect.arrayContaining(forms));
      }
    }
  });

  test.each(areas)('%s has only nouns that an organization can name', async (area) => {
    for (const language of LANGUAGES) {
      for (const [key, message] of Object.entries(await catalogue(language, area))) {
        for (const noun of textsOf(message)
          .join(' ')
          .matchAll(/\{@(\w+)\}/g)) {
          const name = noun[1]![0]!.toLowerCase() + noun[1]!.slice(1);
          expect(Object.keys(DEFAULT_TERMINOLOGY), `${language} ${area} ${key}`).toContain(name);
        }
      }
    }
  });
});

describe('no text is left over', () => {
  const used = usedKeys(ROOT);
  // Nouns are used by the organization's terminology, refusals by the codes of the server.
  test.each(areas.filter((area) => area !== 'nouns' && area !== 'refusals'))('%s', async (area) => {
    const unused = Object.keys(await catalogue('en', area)).filter((key) => !used.uses(area, key));
    expect(unused).toEqual([]);
  });

  test('the control: a key that nothing uses is found', () => {
    expect(used.uses('common', 'thisKeyDoesNotExist')).toBe(false);
    expect(used.uses('common', 'save')).toBe(true);
  });
});

test('the scanner calls every result and reason what the organizer’s app calls it', async () => {
  for (const language of LANGUAGES) {
    const [scanner, app] = [await catalogue(language, 'scanner'), await catalogue(language, 'states')];
    const shared = Object.keys(app).filter((key) => /^(result|reason)\./.test(key) && key in scanner);
    expect(shared.length).toBeGreaterThan(25);
    for (const key of shared) {
      // A phone at the door does not know how an organization names its things.
      if (textsOf(app[key]!).join('').includes('{@')) continue;
      expect(scanner[key], `${language} ${key}`).toEqual(app[key]);
    }
  }
});

test('nouns are those of the contract', async () => {
  expect(Object.keys(await catalogue('en', 'nouns'))).toEqual(Object.keys(DEFAULT_TERMINOLOGY));
  expect(await catalogue('en', 'nouns')).toEqual(DEFAULT_TERMINOLOGY);
});

test('every text of a refusal belongs to a code of the catalogue, or says why no answer came', async () => {
  // Single sign-on that did not work comes back to the sign-in screen with a code of its own, `oidc_…`.
  const ours = ['unreachable', 'unreadable'];
  const codes = Object.keys(await catalogue('en', 'refusals')).filter((code) => !code.startsWith('fault.'));
  expect(codes.filter((code) => !(code in REFUSALS) && !code.startsWith('oidc_') && !ours.includes(code))).toEqual([]);
});

test('every rule that a field may break has its words, and no other', async () => {
  const keys = Object.keys(await catalogue('en', 'refusals')).filter((key) => key.startsWith('fault.'));
  expect(keys.sort()).toEqual(FAULT_RULES.map((rule) => `fault.${rule}`).sort());
});

describe('writing a text', () => {
  const files: Record<string, Catalogue> = {
    'en/nouns': DEFAULT_TERMINOLOGY,
    'de/nouns': { ...DEFAULT_TERMINOLOGY, attendees: 'Teilnehmer' },
    'en/common': {
      hello: 'Hello {name}',
      many: { one: '{count} row', other: '{count} rows' },
      things: '{@attendees}: {@Attendees}',
    },
    'de/common': {
      hello: 'Hallo {name}',
      many: { one: '{count} Zeile', other: '{count} Zeilen' },
      things: '{@attendees}',
    },
  };
  const made = async () => {
    const loaded: string[] = [];
    const words = new Words(async (language, area) => {
      loaded.push(`${language}/${area}`);
      return files[`${language}/${area}`]!;
    });
    await words.need('common', 'nouns');
    const t = words.in('common') as unknown as (key: string, values?: Record<string, string | number>) => string;
    return { words, t, loaded };
  };

  test('fills in values, chooses by number, and writes numbers as the language does', async () => {
    const { words, t } = await made();
    expect(t('hello', { name: '<b>{count}</b>' })).toBe('Hello <b>{count}</b>');
    expect([t('many', { count: 1 }), t('many', { count: 1234 })]).toEqual(['1 row', '1,234 rows']);
    await words.speak('de');
    const de = words.in('common') as unknown as typeof t;
    expect(de('many', { count: 1234 })).toBe('1.234 Zeilen');
  });

  test('no line begins with a sign that a space sets apart', async () => {
    const words = new Words();
    await words.speak('fr');
    await words.need('groups', 'palette');
    expect(words.in('groups')('deleteTitle', { name: 'Nord' })).toBe('Supprimer Nord\u00a0?');
    expect(words.in('palette')('nothing', { text: 'x ?' })).toBe('Rien ne s’appelle «\u00a0x ?\u00a0».');
  });

  test('uses the organization’s nouns in every language; a word that equals ours in English stays ours', async () => {
    const { words, t } = await made();
    expect(t('things')).toBe('attendees: Attendees');
    words.callThings({ ...DEFAULT_TERMINOLOGY, attendees: 'élèves' }, DEFAULT_TERMINOLOGY);
    expect(t('things')).toBe('élèves: Élèves');
    await words.speak('de');
    expect(words.noun('attendees')).toBe('élèves');
    words.callThings(DEFAULT_TERMINOLOGY, DEFAULT_TERMINOLOGY);
    expect(words.noun('attendees')).toBe('Teilnehmer');
  });

  test('a catalogue is loaded once for each language, and all of them before the language changes', async () => {
    const { words, loaded } = await made();
    await words.need('common');
    let changes = 0;
    words.listen(() => {
      changes += 1;
      expect(words.language).toBe('de');
    });
    await words.speak('de');
    expect([loaded.sort(), changes]).toEqual([['de/common', 'de/nouns', 'en/common', 'en/nouns'], 1]);
  });

  test('a key that only the server knows is found, or nothing', async () => {
    const { words } = await made();
    expect(words.find('common', 'hello', { name: 'Ada' })).toBe('Hello Ada');
    expect(words.find('common', 'constructor')).toBeNull();
  });
});

test.each([
  [['de-AT', 'en'], 'de'],
  [[null, 'pt-BR', 'es-MX'], 'es'],
  [['zh'], 'en'],
  [[], 'en'],
])('of %j the language is %s', (wanted, language) => expect(chooseLanguage(wanted)).toBe(language));

describe('dates, numbers and money', () => {
  test('are written as the language and region write them', async () => {
    const words = new Words(async () => ({}));
    await words.speak('de', ['fr-CH', 'de-CH']);
    expect(words.formats.money(250_050, 'CHF')).toMatch(/^CHF.2['’]500\.50$/);
    await words.speak('en', ['en-GB']);
    const { formats } = words;
    expect(formats.money(2500, 'JPY')).toBe('JP¥2,500');
    expect(formats.dateTime('2026-11-16T13:30:00Z', 'America/Lima')).toBe('16 Nov 2026, 8:30');
    // A day is the same day everywhere.
    expect(formats.date('2026-11-16', 'America/Lima')).toBe('Mon, 16 Nov 2026');
    expect(formats.relative('2026-11-16T12:00:00Z', '2026-11-16T12:03:30Z')).toBe('3 minutes ago');
    expect(formats.relative('2026-11-16T12:00:00Z', '2026-11-16T12:00:20Z')).toBe('now');
    expect(formats.list(['a', 'b', 'c'])).toBe('a, b and c');
  });
});
