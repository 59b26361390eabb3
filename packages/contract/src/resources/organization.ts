import Type from 'typebox';
import {
  Body,
  Code,
  Currency,
  CurrencyInput,
  Language,
  Name,
  Nullable,
  Stamps,
  Text,
  Timezone,
  Ulid,
} from '../formats.ts';
import { DEFAULT_TERMINOLOGY } from './profile.ts';

const NOUNS = Object.keys(DEFAULT_TERMINOLOGY) as (keyof typeof DEFAULT_TERMINOLOGY)[];
const languageOfMails = () => Language('Language of the mails and tickets of new events (BCP 47).');

/** What an organization says of itself and its members change: its own words, and what its new events begin with. */
export const OrganizationSettings = Type.Object({
  id: Ulid('The organization.'),
  code: Code('The organization’s code. Its operator gives it.', 'acme'),
  name: Type.String({ examples: ['Acme Events'] }),
  timezone: Timezone(),
  defaults: Type.Object(
    { currency: Currency(), language: languageOfMails() },
    { description: 'What a new event has, unless it says otherwise.' },
  ),
  terminology: Type.Record(Type.String(), Type.String(), {
    description: 'What the organization calls things: its own word, or ours where it has none.',
    examples: [{ ...DEFAULT_TERMINOLOGY, attendee: 'guest', attendees: 'guests' }],
  }),
  ...Stamps,
});
export type OrganizationSettings = Type.Static<typeof OrganizationSettings>;

const word = (noun: string) =>
  Type.Optional(Nullable(Text(60, { min: 0, description: `In place of “${noun}”; null or empty: our own word.` })));

export const OrganizationChange = Body(
  {
    name: Type.Optional(Name(200, { example: 'Acme Events' })),
    timezone: Type.Optional(Timezone()),
    defaults: Type.Optional(
      Body(
        { currency: Type.Optional(CurrencyInput()), language: Type.Optional(languageOfMails()) },
        { minProperties: 1, description: 'Events that exist keep theirs.' },
      ),
    ),
    terminology: Type.Optional(
      Body(Object.fromEntries(NOUNS.map((noun) => [noun, word(DEFAULT_TERMINOLOGY[noun])])), {
        minProperties: 1,
        description: 'Words that are left out stay as they are.',
        examples: [{ attendee: 'guest', attendees: 'guests' }],
      }),
    ),
  },
  { minProperties: 1 },
);
export interface OrganizationChange {
  name?: string;
  timezone?: string;
  defaults?: { currency?: string; language?: string };
  terminology?: Record<string, string | null>;
}
