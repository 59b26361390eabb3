import Type from 'typebox';
import {
  Body,
  Email,
  Nullable,
  OneOf,
  PageQuery,
  Ref,
  Stamps,
  Text,
  Timestamp,
  TimestampInput,
  Ulid,
} from '../formats.ts';
import { REGISTRATION_STATUSES } from './people.ts';

export const COMMUNICATION_KINDS = ['service', 'news'] as const;
export type CommunicationKind = (typeof COMMUNICATION_KINDS)[number];
export const COMMUNICATION_STATUSES = ['draft', 'scheduled', 'sending', 'sent', 'cancelled'] as const;
export type CommunicationStatus = (typeof COMMUNICATION_STATUSES)[number];

/** What `{{name}}` in a subject or text may name. */
export const PLACEHOLDERS = [
  'first_name',
  'last_name',
  'attendee_type',
  'days',
  'ticket_codes',
  'registration',
  'event',
  'venue',
  'organization',
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

const placeholders = `Placeholders: ${PLACEHOLDERS.map((name) => `\`{{${name}}}\``).join(', ')}; with something for who has no such value: \`{{first_name|there}}\`.`;
const Subject = Text(150, { description: placeholders, example: 'Doors open at nine' });
const Words = Text(20_000, {
  description: `Markdown: paragraphs, \`# headings\`, \`- lists\`, \`**bold**\`, \`*italic*\`, \`[links](https://…)\`. ${placeholders}`,
  example: 'Dear {{first_name|guest}},\n\nwe look forward to seeing you on **{{days}}**.',
});
const Kind = OneOf(COMMUNICATION_KINDS, {
  description:
    '`service`: about the event that people registered for. `news`: anything else; it can be unsubscribed from, and skips who has.',
});

const limited = (kind: 'attendee_type' | 'day' | 'group', description: string) =>
  Type.Optional(
    Nullable(
      Type.Array(Ref(kind), { minItems: 1, maxItems: 200, uniqueItems: true, description, examples: [['main']] }),
    ),
  );
export const AudienceInput = Body(
  {
    attendee_types: limited('attendee_type', 'Only people of these attendee types.'),
    days: limited('day', 'Only people who come on one of these days.'),
    groups: limited('group', 'Only people of these groups and of those below them.'),
    statuses: Type.Optional(
      Type.Array(OneOf(REGISTRATION_STATUSES), {
        minItems: 1,
        maxItems: REGISTRATION_STATUSES.length,
        uniqueItems: true,
        description: 'Only people whose status is one of these. Default: `["confirmed"]`.',
      }),
    ),
    checked_in: Type.Optional(
      Nullable(Type.Boolean({ description: 'true: only who was admitted at least once; false: only who was not.' })),
    ),
  },
  { description: 'Whom it is for: what is named must all apply.' },
);
export type AudienceInput = Type.Static<typeof AudienceInput>;

const codes = (what: string) => Nullable(Type.Array(Type.String({ description: `Code of ${what}.` })));
export const Audience = Type.Object({
  attendee_types: codes('an attendee type'),
  days: codes('a day'),
  groups: codes('a group'),
  statuses: Type.Array(OneOf(REGISTRATION_STATUSES)),
  checked_in: Nullable(Type.Boolean()),
});
export type Audience = Type.Static<typeof Audience>;

const people = (description: string) => Type.Integer({ minimum: 0, description });
export const Communication = Type.Object({
  id: Ulid('The communication.'),
  event_id: Ulid('The event.'),
  group: Nullable(Type.String({ description: 'Code of the group whose people it is limited to; null: all.' })),
  test: Type.Boolean({ description: 'Made with a test key: for test people, and no mail goes out.' }),
  kind: Kind,
  status: OneOf(COMMUNICATION_STATUSES, {
    description: '`sending` from its first mail until none is on its way any more; then `sent`.',
  }),
  subject: Type.String(),
  text: Type.String(),
  audience: Audience,
  send_at: Nullable(Timestamp('When it goes out, or was to go out.')),
  counts: Type.Object({
    recipients: people('People it is for; fixed when sending begins.'),
    queued: people('Whose mail is on its way.'),
    sent: people('Whose mail was taken by a mail server.'),
    failed: people('Whose mail was given up.'),
    skipped: people('Who gets none; `recipients` tells each one’s reason.'),
  }),
  progress: Type.Object({
    done: people('People whose fate is known.'),
    total: Nullable(people('null until sending begins.')),
  }),
  job_id: Nullable(Type.String({ description: 'The job that sends it.' })),
  started_at: Nullable(Timestamp('When sending began.')),
  finished_at: Nullable(Timestamp('When it was `sent` or `cancelled`.')),
  ...Stamps,
});
export type Communication = Type.Static<typeof Communication>;

const sendAt = (description: string) => Type.Optional(Nullable(TimestampInput(description)));
export const CommunicationCreate = Body({
  subject: Subject,
  text: Words,
  kind: Type.Optional(Kind),
  audience: Type.Optional(AudienceInput),
  group: Type.Optional(
    Nullable(Ref('group', 'Only people of this group and below it. A caller limited to a group has it as default.')),
  ),
  send_at: sendAt('When it is to go out. It does not go before it is sent (`…/send`).'),
});
export type CommunicationCreate = Type.Static<typeof CommunicationCreate>;

export const CommunicationChange = Body(
  {
    subject: Type.Optional(Subject),
    text: Type.Optional(Words),
    kind: Type.Optional(Kind),
    audience: Type.Optional(AudienceInput),
    send_at: sendAt('Another time; null makes a scheduled communication a draft again.'),
  },
  { minProperties: 1 },
);
export type CommunicationChange = Type.Static<typeof CommunicationChange>;

export const CommunicationSend = Body({
  send_at: sendAt('When. null: now. Left out: at the `send_at` it has, and now if it has none.'),
});
export type CommunicationSend = Type.Static<typeof CommunicationSend>;

const attendee = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 63, 'x-reference': 'attendee', description }));
export const CommunicationPreviewOf = Body({
  attendee: attendee('Id of the attendee whom it is written to. Default: the first it would reach.'),
});
export type CommunicationPreviewOf = Type.Static<typeof CommunicationPreviewOf>;

export const SKIP_REASONS = ['no_address', 'unsubscribed', 'erased', 'test', 'repeated', 'cancelled'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];
const Reason = OneOf(SKIP_REASONS, {
  description:
    '`no_address`: neither the person nor the registrant has one. `test`: no mail goes out for test people and test events. `repeated`: the address has these very words already. `cancelled`: before the mail went out.',
});

export const CommunicationPreview = Type.Object({
  subject: Type.String(),
  text: Type.String(),
  html: Type.String(),
  attendee_id: Nullable(Type.String({ description: 'Whom it is written to; null: a made-up person.' })),
  recipients: people('People it would be for, as of now.'),
  skipped: Type.Array(Type.Object({ reason: Reason, people: people('How many of them would get none.') })),
});
export type CommunicationPreview = Type.Static<typeof CommunicationPreview>;

export const CommunicationTest = Body({
  to: Type.Array(Email(), { minItems: 1, maxItems: 5, uniqueItems: true, description: 'Where the test goes.' }),
  attendee: attendee('Id of the attendee whose values it has. Default: a made-up person.'),
});
export type CommunicationTest = Type.Static<typeof CommunicationTest>;

export const RECIPIENT_STATUSES = ['queued', 'sent', 'failed', 'skipped'] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

export const CommunicationTested = Type.Object({
  recipients: Type.Array(
    Type.Object({
      email: Type.String(),
      status: OneOf(['queued', 'skipped']),
      reason: Nullable(Reason),
    }),
  ),
});
export type CommunicationTested = Type.Static<typeof CommunicationTested>;

export const CommunicationRecipient = Type.Object({
  attendee_id: Ulid('The attendee.'),
  registration_id: Ulid('The registration.'),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Nullable(Type.String({ description: 'Where to: the person’s own address, else the registrant’s.' })),
  status: OneOf(RECIPIENT_STATUSES),
  reason: Nullable(Reason),
  error: Nullable(Type.String({ description: 'Why it failed, in the mail server’s words.' })),
  settled_at: Nullable(Timestamp('When it was sent, given up or skipped.')),
});
export type CommunicationRecipient = Type.Static<typeof CommunicationRecipient>;

export const RecipientQuery = Body({ ...PageQuery, status: Type.Optional(OneOf(RECIPIENT_STATUSES)) });
export type RecipientQuery = Type.Static<typeof RecipientQuery>;

export const CommunicationQuery = Body({ ...PageQuery, status: Type.Optional(OneOf(COMMUNICATION_STATUSES)) });
export type CommunicationQuery = Type.Static<typeof CommunicationQuery>;
