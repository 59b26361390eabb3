import { readdirSync, readFileSync } from 'node:fs';
import { REASONS, RESULTS } from '@turnout/checkin';
import { DEFAULT_TERMINOLOGY, FAULT_RULES, REFUSALS } from '@turnout/contract';
import { describe, expect, test } from 'vitest';
import { cataloguesIn, faultsOf, readCatalogue } from './catalogues.support.ts';
import { Formats } from './formats.ts';
import type { Catalogue, Message } from './message.ts';
import { loadScanner } from './scanner.ts';
import { usedKeys } from './uses.support.ts';
import { chooseLanguage, LANGUAGES, Words } from './words.ts';

const HERE = new URL('./', import.meta.url);
const ROOT = new URL('../../../', HERE);
const ENGLISH = new URL('en/', HERE);
const areas = cataloguesIn(ENGLISH);
const catalogue = (language: string, area: string) => readCatalogue(new URL(`${language}/`, HERE), area);
const textsOf = (message: Message): string[] => (typeof message === 'string' ? [message] : Object.values(message));
/** Every folder of texts, also of a language that is not in the list yet. */
const folders = readdirSync(HERE, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

describe('languages', () => {
  test('have a folder each, and every folder is in the list (packages/contract/src/languages.ts)', () => {
    expect(folders.sort()).toEqual([...LANGUAGES].sort());
  });

  test.each(folders)('%s lacks nothing: no file, text, gap or form for numbers', async (language) => {
    expect(await faultsOf(language, new URL(`${language}/`, HERE), ENGLISH)).toEqual([]);
  });

  test('of one that is begun it is told what it lacks', async () => {
    const faults = await faultsOf('pl', new URL('../test-data/pl/', HERE), ENGLISH);
    const begun = ['groups', 'server/tickets'];
    const missing = areas.filter((area) => !begun.includes(area)).map((area) => `${area}.ts is missing.`);
    expect(faults.slice(0, missing.length)).toEqual(missing);
    expect(faults.slice(missing.length)).toEqual([
      'grupy.ts: there is no such file in English.',
      ...Object.keys(await catalogue('en', 'groups'))
        .filter((key) => !['title', 'deleteTitle', 'add'].includes(key))
        .map((key) => `groups.ts: ${key} is missing.`),
      'groups.ts: nowa is not in English.',
      'groups.ts: add is empty.',
      'groups.ts: deleteTitle lacks {name}.',
      'groups.ts: deleteTitle has {nazwa}, which English has not.',
      'groups.ts: title has {@grupy}, which is no noun here.',
      'server/tickets.ts: hint begins or ends with a space.',
      'server/tickets.ts: people lacks the form “many”.',
      'server/tickets.ts: people lacks the form “few”.',
      'server/tickets.ts: registration has {@Registration}, which is no noun here.',
    ]);
  });

  test('are found by the list of catalogues: those that screens load, and those of the server', () => {
    const listed = (file: string) => {
      const text = readFileSync(new URL(file, HERE), 'utf8');
      return [...text.matchAll(/from '\.\/en\/([\w/-]+)\.ts'/g)].map((match) => match[1]!);
    };
    const served = [...listed('mails.ts'), ...listed('tickets.ts')].filter((area) => area.startsWith('server/'));
    expect([...listed('areas.ts'), ...served].sort()).toEqual(areas);
  });
});

describe('no text is left over', () => {
  const used = usedKeys(ROOT);
  // Nouns are used by the organization's terminology, refusals by the codes of the server, and a person's fields by their table.
  test.each(areas.filter((area) => !['nouns', 'refusals', 'person'].includes(area)))('%s', async (area) => {
    const unused = Object.keys(await catalogue('en', area)).filter((key) => !used.uses(area, key));
    expect(unused).toEqual([]);
  });

  test('the control: a key that nothing uses is found', () => {
    expect(used.uses('common', 'thisKeyDoesNotExist')).toBe(false);
    expect(used.uses('common', 'save')).toBe(true);
  });
});

describe('what the door says of a scan', () => {
  test('has a text for every result and every reason', async () => {
    const keys = [...RESULTS.map((one) => `result.${one}`), ...REASONS.map((one) => `reason.${one}`)];
    expect(Object.keys(await catalogue('en', 'results')).sort()).toEqual(keys.sort());
  });

  test.each(areas.filter((area) => area !== 'results'))('has no second text in %s', async (area) => {
    const results = await catalogue('en', 'results');
    expect(Object.keys(await catalogue('en', area)).filter((key) => key in results)).toEqual([]);
  });

  test('is said by the scanner with our own nouns', async () => {
    const texts = await loadScanner('de');
    expect(texts['reason.group_not_admitted']).toBe('Gruppe hier nicht zugelassen');
    expect(texts['result.accepted']).toBe((await catalogue('de', 'results'))['result.accepted']);
    for (const [key, text] of Object.entries(texts)) expect(textsOf(text).join(''), key).not.toContain('{@');
  });
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
    expect(words.in('palette')('nothing', { text: 'x ?' })).toBe('Aucun résultat pour «\u00a0x ?\u00a0»');
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

test('an event that ends at midnight ends with the day before, in its own time zone', () => {
  const formats = new Formats('en');
  expect(formats.span('2027-06-30T22:00:00Z', '2027-07-02T22:00:00Z', 'Europe/Berlin')).toBe(
    formats.range('2027-07-01', '2027-07-02', 'UTC'),
  );
  expect(formats.span('2027-07-01T08:00:00Z', '2027-07-02T22:30:00Z', 'Europe/Berlin')).toBe(
    formats.range('2027-07-01', '2027-07-03', 'UTC'),
  );
  expect(formats.span('2027-07-01T08:00:00Z', '2027-07-01T08:00:00Z', 'UTC')).toBe(
    formats.range('2027-07-01', '2027-07-01', 'UTC'),
  );
});
