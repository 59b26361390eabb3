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
  logo: Nullable(Type.String({ description: 'Address of the organization’s logo.' })),
  imprint_url: Nullable(
    Type.String({ description: 'The page that says who is responsible. The registration pages link to it.' }),
  ),
  privacy_url: Nullable(Type.String({ description: 'The page about privacy. The registration pages link to it.' })),
  embed_origins: Type.Array(Type.String(), {
    description: 'The sites that may embed the registration form, as origins. Empty: none.',
    examples: [['https://www.example.org']],
  }),
  pages_url: Type.String({ description: 'Address of the list of the organization’s events.' }),
  require_second_factor: Type.Boolean({
    description: 'Members need a passkey, an authenticator app or single sign-on to work in this organization.',
  }),
  agents: Type.Boolean({
    description:
      'Agents (programs that use a language model) may work with the organization’s keys, at `/mcp`. Each of them may do what its key may do.',
  }),
  ...Stamps,
});
export type OrganizationSettings = Type.Static<typeof OrganizationSettings>;

const word = (noun: string) =>
  Type.Optional(
    Nullable(Text(60, { min: 0, description: `The word to use instead of “${noun}”. Null or empty: “${noun}”.` })),
  );

const webAddress = (description: string) =>
  Type.String({
    pattern: '^https?://[^\\s]+$',
    maxLength: 2000,
    description,
    examples: ['https://www.example.org/imprint'],
  });

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
    imprint_url: Type.Optional(Nullable(webAddress('The page that says who is responsible.'))),
    privacy_url: Type.Optional(Nullable(webAddress('The page about privacy.'))),
    embed_origins: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^https?://[A-Za-z0-9.\\-\\[\\]:]+$',
          maxLength: 300,
          examples: ['https://www.example.org'],
        }),
        {
          maxItems: 50,
          uniqueItems: true,
          description: 'The sites that may embed the registration form: scheme and host, without a path. Empty: none.',
        },
      ),
    ),
    require_second_factor: Type.Optional(
      Type.Boolean({
        description: 'You need a second factor in this session yourself, so that you are not locked out.',
      }),
    ),
    agents: Type.Optional(
      Type.Boolean({ description: 'Whether agents may work with the organization’s keys, at `/mcp`.' }),
    ),
  },
  { minProperties: 1 },
);
export interface OrganizationChange {
  agents?: boolean;
  accent?: string | null;
  imprint_url?: string | null;
  privacy_url?: string | null;
  embed_origins?: string[];
  require_second_factor?: boolean;
  name?: string;
  timezone?: string;
  defaults?: { currency?: string; language?: string };
  terminology?: Record<string, string | null>;
}
