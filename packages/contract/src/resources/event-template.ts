import Type from 'typebox';
import { Body, Code, Count, LocalDateInput, Name, Nullable, OneOf, Ref, Timezone } from '../formats.ts';
import { EventCreate, RegistrationRules } from './event.ts';
import { ProductCreate, QuotaCreate } from './product.ts';
import { AttendeeTypeCreate, DayCreate, Policy, QuestionCreate } from './structure.ts';

export const TEMPLATE_KIND = 'turnout.event-template';
export const TEMPLATE_VERSION = 1;

/** How many parts an event can have: every scan and every template reads all of them. */
export const MAX_PARTS = {
  day: 366,
  attendee_type: 200,
  question: 200,
  check_in_point: 500,
  product: 200,
  quota: 100,
} as const;

/** References in a template, which are always codes. */
const codes = (what: string, maxItems: number) =>
  Nullable(
    Type.Array(Code(`Code of ${what}.`), { minItems: 1, maxItems, description: `Codes of ${what}. Null: all.` }),
  );

const day = Body({
  code: Code(undefined, 'd1'),
  name: Nullable(Name(200, { description: 'Null: the date.' })),
  date: LocalDateInput(),
  ...Type.Required(Type.Pick(DayCreate, ['opens_at', 'closes_at', 'capacity'])).properties,
});
const attendeeType = Body({
  code: Code(undefined, 'adult'),
  days: codes('days of this template', 366),
  ...Type.Required(
    Type.Pick(AttendeeTypeCreate, ['name', 'price_minor', 'capacity', 'pass_days', 'approval', 'visible']),
  ).properties,
  // Templates of earlier releases do not have them.
  ...Type.Pick(AttendeeTypeCreate, ['description', 'prices', 'on_sale', 'min_per_registration', 'max_per_registration'])
    .properties,
});
const product = Body({
  code: Code(undefined, 'workshop'),
  attendee_types: codes('attendee types of this template', 200),
  days: codes('days of this template', 366),
  ...Type.Required(
    Type.Pick(ProductCreate, [
      'name',
      'description',
      'price_minor',
      'options',
      'capacity',
      'per',
      'max',
      'required',
      'on_sale',
      'visible',
    ]),
  ).properties,
});
const quota = Body({
  code: Code(undefined, 'kitchen'),
  attendee_types: codes('attendee types of this template', 200),
  days: codes('days of this template', 366),
  products: codes('products of this template', 200),
  ...Type.Pick(QuotaCreate, ['name', 'capacity']).properties,
});
const question = Body({
  code: Code(undefined, 'diet'),
  attendee_types: codes('attendee types of this template', 200),
  ...Type.Required(Type.Pick(QuestionCreate, ['label', 'kind', 'required', 'options'])).properties,
  // Templates of earlier releases do not have it.
  ...Type.Pick(QuestionCreate, ['filterable']).properties,
});
const point = Body({
  code: Code(undefined, 'gate'),
  name: Name(200),
  kind: OneOf(['entry', 'pre_check', 'zone', 'exit']),
  policy: Body({
    ...Type.Omit(Policy, ['products']).properties,
    attendee_types: codes('attendee types of this template', 200),
    groups: codes('groups of the organization', 1000),
    days: codes('days of this template', 366),
    // Templates of earlier releases do not have it.
    products: Type.Optional(codes('products of this template', 200)),
    capacity: Nullable(Count('For zones: the most people inside at a time.')),
    leaves: Nullable(Code('For exits: code of the zone that one leaves. Null: the venue and every zone.')),
  }),
});

export const EventTemplate = Body(
  {
    kind: OneOf([TEMPLATE_KIND]),
    version: Type.Unsafe<typeof TEMPLATE_VERSION>({
      type: 'integer',
      enum: [TEMPLATE_VERSION],
      description: 'The version of this format. A template in a newer version is refused.',
    }),
    event: Body({
      ...Type.Required(
        Type.Pick(EventCreate, [
          'name',
          'timezone',
          'starts_at',
          'ends_at',
          'venue',
          'currency',
          'capacity',
          'ticketing',
          'language',
          'terms',
        ]),
      ).properties,
      group: Nullable(Code('Code of the group that the event belongs to. Null: the whole organization.', 'clubs')),
      registration: Body({
        ...Type.Omit(RegistrationRules, ['checkout_minutes', 'confirm_hours']).properties,
        // Templates of earlier releases do not have them.
        ...Type.Partial(Type.Pick(RegistrationRules, ['checkout_minutes', 'confirm_hours'])).properties,
      }),
      // Templates of earlier releases do not have it.
      ...Type.Pick(EventCreate, ['description', 'listed', 'payment_instructions', 'self_service', 'door']).properties,
    }),
    days: Type.Array(day, { maxItems: MAX_PARTS.day }),
    attendee_types: Type.Array(attendeeType, { maxItems: MAX_PARTS.attendee_type }),
    // Templates of earlier releases do not have them.
    products: Type.Optional(Type.Array(product, { maxItems: MAX_PARTS.product })),
    quotas: Type.Optional(Type.Array(quota, { maxItems: MAX_PARTS.quota })),
    questions: Type.Array(question, { maxItems: MAX_PARTS.question }),
    check_in_points: Type.Array(point, { maxItems: MAX_PARTS.check_in_point }),
  },
  {
    description:
      'The whole structure of an event, without its attendees. Keep it as a file, and create the next event from it.',
  },
);
export type EventTemplate = Type.Static<typeof EventTemplate>;

export const EventTemplateImport = Body({
  template: EventTemplate,
  event: Type.Optional(
    Body(
      {
        code: Type.Optional(Code('Default: made from the name.', 'summer-fair-2027')),
        name: Type.Optional(Name(200, { description: 'Default: the template’s.', example: 'Summer Fair 2027' })),
        first_day: Type.Optional(
          LocalDateInput(
            'The date of the first day. Everything else keeps its distance to it: the other days, the opening times and the registration period. Local times stay the same, even across a change to or from daylight saving time. Default: the dates of the template.',
          ),
        ),
        timezone: Type.Optional(Timezone()),
        group: Type.Optional(
          Nullable(Ref('group', 'Default: the template’s group, else the group that the key is limited to.')),
        ),
        test: Type.Optional(Type.Boolean({ description: 'Whether it is a test event. Always true with a test key.' })),
      },
      { description: 'What differs from the template in the new event.' },
    ),
  ),
});
export type EventTemplateImport = Type.Static<typeof EventTemplateImport>;
