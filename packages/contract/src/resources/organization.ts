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
const languageOfMails = () => Language('The language of mails and tickets of new events (BCP 47).');

/** The settings of an organization that its members can change. */
export const OrganizationSettings = Type.Object({
  id: Ulid('The organization.'),
  code: Code('The organization’s code, which the operator chooses.', 'acme'),
  name: Type.String({ examples: ['Acme Events'] }),
  timezone: Timezone(),
  defaults: Type.Object(
    { currency: Currency(), language: languageOfMails() },
    { description: 'What new events begin with.' },
  ),
  terminology: Type.Record(Type.String(), Type.String(), {
    description: 'The organization’s words for things; where it has chosen none, ours.',
    examples: [{ ...DEFAULT_TERMINOLOGY, attendee: 'guest', attendees: 'guests' }],
  }),
  accent: Nullable(
    Type.String({ description: 'The one colour of the organization’s look. Null: ours.', examples: ['#0b6e66'] }),
  ),
  require_second_factor: Type.Boolean({
    description: 'Members need a passkey, an authenticator app or single sign-on to work in this organization.',
  }),
  ...Stamps,
});
export type OrganizationSettings = Type.Static<typeof OrganizationSettings>;

const word = (noun: string) =>
  Type.Optional(
    Nullable(Text(60, { min: 0, description: `The word to use instead of “${noun}”. Null or empty: “${noun}”.` })),
  );

export const OrganizationChange = Body(
  {
    name: Type.Optional(Name(200, { example: 'Acme Events' })),
    timezone: Type.Optional(Timezone()),
    defaults: Type.Optional(
      Body(
        { currency: Type.Optional(CurrencyInput()), language: Type.Optional(languageOfMails()) },
        { minProperties: 1, description: 'What new events begin with. Existing events do not change.' },
      ),
    ),
    terminology: Type.Optional(
      Body(Object.fromEntries(NOUNS.map((noun) => [noun, word(DEFAULT_TERMINOLOGY[noun])])), {
        minProperties: 1,
        description: 'The organization’s words for things. Words that are left out do not change.',
        examples: [{ attendee: 'guest', attendees: 'guests' }],
      }),
    ),
    accent: Type.Optional(
      Nullable(
        Type.String({
          pattern: '^#[0-9a-fA-F]{6}$',
          maxLength: 7,
          description: 'The one colour of the organization’s look. Null: ours.',
          examples: ['#0b6e66'],
        }),
      ),
    ),
    require_second_factor: Type.Optional(
      Type.Boolean({
        description: 'You need a second factor in this session yourself, so that you are not locked out.',
      }),
    ),
  },
  { minProperties: 1 },
);
export interface OrganizationChange {
  accent?: string | null;
  require_second_factor?: boolean;
  name?: string;
  timezone?: string;
  defaults?: { currency?: string; language?: string };
  terminology?: Record<string, string | null>;
}
