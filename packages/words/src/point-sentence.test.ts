import type { CheckInPoint } from '@turnout/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { sentenceOf } from './point-sentence.ts';
import { type Language, Words } from './words.ts';

type Policy = CheckInPoint['policy'];
const usual: Policy = {
  ...{
    attendee_types: null,
    groups: null,
    days: null,
    products: null,
    opens_minutes_before: 0,
    closes_minutes_after: 0,
  },
  ...{ limit: 'once_per_day', cooldown_seconds: 0, requires: null, capacity: null, leaves: null },
};
const NAMES: Readonly<Record<string, string>> = {
  ...{ adult: 'Adult', crew: 'Crew', north: 'North', sat: 'Saturday', sun: 'Sunday', stage: 'Backstage' },
  ...{ bread: 'Bread workshop', dinner: 'Dinner', bus: 'Shuttle bus' },
};
const nameOf = (code: string) => NAMES[code] ?? code;
const names = { type: nameOf, group: nameOf, day: nameOf, product: nameOf, point: nameOf };

const POINTS: Readonly<Record<string, [kind: CheckInPoint['kind'], policy: Partial<Policy>]>> = {
  usual: ['entry', {}],
  early: ['entry', { attendee_types: ['adult', 'crew'], opens_minutes_before: 30 }],
  turnstile: ['entry', { limit: 'once_until_exit', cooldown_seconds: 90 }],
  long: ['entry', { limit: 'once', opens_minutes_before: 120, closes_minutes_after: 45, days: ['sat', 'sun'] }],
  papers: ['pre_check', { groups: ['north'], closes_minutes_after: 60 }],
  room: ['zone', { limit: 'unlimited', capacity: 250, requires: 'entry', attendee_types: ['crew'] }],
  tiny: ['zone', { limit: 'unlimited', capacity: 1, requires: 'pre_check', cooldown_seconds: 3600 }],
  out: ['exit', { limit: 'unlimited' }],
  outOf: ['exit', { limit: 'unlimited', leaves: 'stage' }],
  nobody: ['entry', { attendee_types: [] }],
  booked: ['entry', { products: ['dinner'] }],
  kitchen: [
    'zone',
    { limit: 'unlimited', attendee_types: ['adult'], groups: ['north'], products: ['bread', 'dinner', 'bus'] },
  ],
};

const EXPECTED: Readonly<Record<Language, Readonly<Partial<Record<keyof typeof POINTS, string>>>>> = {
  en: {
    usual: 'Admits everyone once a day, during opening hours.',
    early: 'Admits Adult and Crew once a day, from 30 minutes before opening.',
    turnstile:
      'Admits everyone once until they leave, during opening hours. The same ticket can be scanned again after 90 seconds.',
    long: 'Admits everyone once, from 2 hours before opening, until 45 minutes after closing, only for Saturday and Sunday.',
    papers: 'Pre-checks everyone from North once a day, until 1 hour after closing.',
    room: 'Lets Crew into the zone any number of times, during opening hours. They need to check in at an entry on the same day first. At most 250 people can be inside at a time.',
    tiny: 'Lets everyone into the zone any number of times, during opening hours. They need a pre-check on the same day first. The same ticket can be scanned again after 1 hour. At most 1 person can be inside at a time.',
    out: 'Checks everyone out of the venue any number of times, during opening hours.',
    outOf: 'Checks everyone out of Backstage any number of times, during opening hours.',
    nobody: 'Admits no one once a day, during opening hours.',
    booked: 'Admits everyone with Dinner once a day, during opening hours.',
    kitchen:
      'Lets Adult from North with Bread workshop, Dinner, or Shuttle bus into the zone any number of times, during opening hours.',
  },
  de: {
    early: 'Lässt Adult und Crew einmal am Tag ein, ab 30 Minuten vor der Öffnung.',
    long: 'Lässt alle einmal ein, ab 2 Stunden vor der Öffnung, bis 45 Minuten nach der Schließung, nur für Saturday und Sunday.',
    papers: 'Prüft alle aus North einmal am Tag vor, bis 1 Stunde nach der Schließung.',
    room: 'Lässt Crew beliebig oft in den Bereich, während der Öffnungszeit. Zuerst ist am selben Tag der Einlass an einem Eingang nötig. Höchstens 250 Personen dürfen gleichzeitig drinnen sein.',
    booked: 'Lässt alle mit Dinner einmal am Tag ein, während der Öffnungszeit.',
    outOf: 'Checkt alle beliebig oft aus Backstage aus, während der Öffnungszeit.',
  },
  fr: {
    early: 'Admet Adult et Crew une fois par jour, dès 30 minutes avant l’ouverture.',
    booked: 'Admet tout le monde avec Dinner une fois par jour, pendant les heures d’ouverture.',
    tiny: 'Laisse entrer tout le monde dans la zone autant de fois que voulu, pendant les heures d’ouverture. Un précontrôle le même jour est d’abord nécessaire. Entre deux admissions il faut au moins 1 heure. 1 personne au plus peut être à l’intérieur à la fois.',
  },
  es: {
    early: 'Admite a Adult y Crew una vez al día, desde 30 minutos antes de la apertura.',
    booked: 'Admite a todos con Dinner una vez al día, durante el horario de apertura.',
    out: 'Registra la salida del recinto de todos cuantas veces se quiera, durante el horario de apertura.',
  },
};

describe.each(Object.keys(EXPECTED) as Language[])('what a check-in point does, in %s', (language) => {
  const words = new Words();
  beforeAll(async () => {
    await words.speak(language);
    await words.need('policy');
  });
  const sentence = (point: string) => {
    const [kind, policy] = POINTS[point]!;
    // A number and its unit are set apart by a space that does not break, which is another character.
    return sentenceOf(
      { kind, policy: { ...usual, ...policy } },
      { t: words.in('policy'), formats: words.formats, names },
    ).replaceAll(/[\u00a0\u202f]/g, ' ');
  };
  test.each(Object.entries(EXPECTED[language]))('%s', (point, expected) => {
    expect(sentence(point)).toBe(expected);
  });
  test('every rule changes the sentence, and nothing is left unfilled', () => {
    const all = Object.keys(POINTS).map(sentence);
    expect(new Set(all).size).toBe(all.length);
    expect(all.join(' ')).not.toMatch(/[{}]|undefined|says\.|limit\./);
  });
});
