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

/** The placeholders that a subject and a text can contain, as `{{name}}`. */
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

const placeholders = `Placeholders: ${PLACEHOLDERS.map((name) => `\`{{${name}}}\``).join(', ')}; with a fallback for recipients without such a value: \`{{first_name|there}}\`.`;
const Subject = Text(150, { description: placeholders, example: 'Doors open at nine' });
const Words = Text(20_000, {
  description: `Markdown: paragraphs, \`# headings\`, \`- lists\`, \`**bold**\`, \`*italic*\`, \`[links](https://…)\`. ${placeholders}`,
  example: 'Dear {{first_name|guest}},\n\nwe look forward to seeing you on **{{days}}**.',
});
const Kind = OneOf(COMMUNICATION_KINDS, {
  description:
    '`service`: about the event that people registered for. `news`: anything else. Recipients can unsubscribe from news, and those who have are skipped.',
});

const limited = (kind: 'attendee_type' | 'day' | 'group', description: string) =>
  Type.Optional(
    Nullable(
      Type.Array(Ref(kind), { minItems: 1, maxItems: 200, uniqueItems: true, description, examples: [['main']] }),
    ),
  );
export const AudienceInput = Body(
  {
    attendee_types: limited('attendee_type', 'Only attendees of these types.'),
    days: limited('day', 'Only attendees who come on one of these days.'),
    groups: limited('group', 'Only attendees of these groups and of the groups below them.'),
    statuses: Type.Optional(
      Type.Array(OneOf(REGISTRATION_STATUSES), {
        minItems: 1,
        maxItems: REGISTRATION_STATUSES.length,
        uniqueItems: true,
        description: 'Only attendees with one of these statuses. Default: `["confirmed"]`.',
      }),
    ),
    checked_in: Type.Optional(
      Nullable(
        Type.Boolean({
          description: 'True: only attendees who were admitted at least once. False: only those who were not.',
        }),
      ),
    ),
  },
  { description: 'The recipients. All conditions that are given must apply.' },
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
  group: Nullable(
    Type.String({ description: 'Code of the group to whose attendees the message is limited. Null: no limit.' }),
  ),
  test: Type.Boolean({ description: 'Made with a test key: it is for test attendees, and no mail is sent.' }),
  kind: Kind,
  status: OneOf(COMMUNICATION_STATUSES, {
    description: '`sending` from the first mail until none is waiting to be sent any more; then `sent`.',
  }),
  subject: Type.String(),
  text: Type.String(),
  audience: Audience,
  send_at: Nullable(Timestamp('When the message is sent, or was to be sent.')),
  counts: Type.Object({
    recipients: people('How many recipients there are. Fixed when sending begins.'),
    queued: people('How many mails are waiting to be sent.'),
    sent: people('How many mails were accepted by a mail server.'),
    failed: people('How many mails were given up.'),
    skipped: people('How many recipients get no mail. The list of recipients shows each one’s reason.'),
  }),
  progress: Type.Object({
    done: people('How many recipients are done: sent, failed or skipped.'),
    total: Nullable(people('Null until sending begins.')),
  }),
  job_id: Nullable(Type.String({ description: 'Id of the job that sends the message.' })),
  started_at: Nullable(Timestamp('When sending began.')),
  finished_at: Nullable(Timestamp('When the status became `sent` or `cancelled`.')),
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
    Nullable(
      Ref(
        'group',
        'Only attendees of this group and of the groups below it. Default, if the caller is limited to a group: that group.',
      ),
    ),
  ),
  send_at: sendAt('When the message is to be sent. It is not sent before `…/send` is called.'),
});
export type CommunicationCreate = Type.Static<typeof CommunicationCreate>;

export const CommunicationChange = Body(
  {
    subject: Type.Optional(Subject),
    text: Type.Optional(Words),
    kind: Type.Optional(Kind),
    audience: Type.Optional(AudienceInput),
    send_at: sendAt('Another time. Null makes a scheduled communication a draft again.'),
  },
  { minProperties: 1 },
);
export type CommunicationChange = Type.Static<typeof CommunicationChange>;

export const CommunicationSend = Body({
  send_at: sendAt('When the message is sent. Null: now. Default: its `send_at`, or now if it has none.'),
});
export type CommunicationSend = Type.Static<typeof CommunicationSend>;

const attendee = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 63, 'x-reference': 'attendee', description }));
export const CommunicationPreviewOf = Body({
  attendee: attendee('Id of the attendee to show the message for. Default: the first recipient.'),
});
export type CommunicationPreviewOf = Type.Static<typeof CommunicationPreviewOf>;

export const SKIP_REASONS = ['no_address', 'unsubscribed', 'erased', 'test', 'repeated', 'cancelled'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];
const Reason = OneOf(SKIP_REASONS, {
  description:
    'Why no mail is sent. `no_address`: neither the attendee nor the registrant has an address. `test`: no mails are sent for test attendees and test events. `repeated`: the same text has already been sent to this address. `cancelled`: the message was cancelled before the mail was sent.',
});

export const CommunicationPreview = Type.Object({
  subject: Type.String(),
  text: Type.String(),
  html: Type.String(),
  attendee_id: Nullable(
    Type.String({ description: 'Id of the attendee that the message is shown for. Null: a made-up person.' }),
  ),
  recipients: people('How many recipients there would be now.'),
  skipped: Type.Array(
    Type.Object({ reason: Reason, people: people('How many recipients would get no mail for this reason.') }),
  ),
});
export type CommunicationPreview = Type.Static<typeof CommunicationPreview>;

export const CommunicationTest = Body({
  to: Type.Array(Email(), {
    minItems: 1,
    maxItems: 5,
    uniqueItems: true,
    description: 'The addresses that the test is sent to.',
  }),
  attendee: attendee('Id of the attendee whose values fill the placeholders. Default: a made-up person.'),
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
  email: Nullable(Type.String({ description: 'The attendee’s own address, else the registrant’s.' })),
  status: OneOf(RECIPIENT_STATUSES),
  reason: Nullable(Reason),
  error: Nullable(Type.String({ description: 'Why the mail failed, in the mail server’s words.' })),
  settled_at: Nullable(Timestamp('When the mail was sent, given up or skipped.')),
});
export type CommunicationRecipient = Type.Static<typeof CommunicationRecipient>;

export const RecipientQuery = Body({ ...PageQuery, status: Type.Optional(OneOf(RECIPIENT_STATUSES)) });
export type RecipientQuery = Type.Static<typeof RecipientQuery>;

export const CommunicationQuery = Body({ ...PageQuery, status: Type.Optional(OneOf(COMMUNICATION_STATUSES)) });
export type CommunicationQuery = Type.Static<typeof CommunicationQuery>;

/** The mails about registrations and tickets, and `communication` for what an organizer wrote. */
export const MESSAGE_KINDS = [
  'confirmation',
  'waitlisted',
  'approval_pending',
  'approved',
  'declined',
  'cancelled',
  'ticket_reissued',
  'payment_due',
  'promoted',
  'registration_expired',
  'attendee_ticket',
  'attendee_cancelled',
  'place_received',
  'place_handed_on',
  'communication',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

export const AttendeeMessage = Type.Object({
  id: Ulid('The mail; of a communication, the communication.'),
  kind: OneOf(MESSAGE_KINDS, {
    description:
      'What the mail says. `attendee_ticket` and `attendee_cancelled` are written to the attendee, `place_received` and `place_handed_on` to whoever got a place from somebody else and to whoever had it before, `communication` is an organizer’s message, and all others are written to the registrant.',
  }),
  about: OneOf(['attendee', 'registration'], {
    description: 'Whether the mail is about this attendee, or about the whole registration.',
  }),
  subject: Nullable(
    Type.String({ description: 'The subject of a communication, with its placeholders. Null otherwise.' }),
  ),
  email: Nullable(
    Type.String({
      description:
        'The address. Null if the person was erased, if there is none, and if the caller may not see the registrant whose address it is.',
    }),
  ),
  status: OneOf(RECIPIENT_STATUSES),
  reason: Nullable(Reason),
  error: Nullable(
    Type.String({
      description: 'Why the mail failed, or failed last if it is still tried, in the mail server’s words.',
    }),
  ),
  created_at: Timestamp('When the mail was queued; of a communication, when its sending began.'),
  settled_at: Nullable(Timestamp('When the mail was sent; of a communication also when it was given up or skipped.')),
});
export type AttendeeMessage = Type.Static<typeof AttendeeMessage>;
