import {
  AttendeeType,
  AttendeeTypeChange,
  AttendeeTypeCreate,
  Body,
  ChangedQuery,
  CheckInPoint,
  CheckInPointChange,
  CheckInPointCreate,
  Day,
  DayChange,
  DayCreate,
  DayLock,
  EVENT_STATUSES,
  Event,
  EventChange,
  EventCreate,
  OneOf,
  Page,
  Product,
  ProductChange,
  ProductCreate,
  Question,
  QuestionChange,
  QuestionCreate,
  Quota,
  QuotaChange,
  QuotaCreate,
  Ref,
} from '@turnout/contract';
import Type from 'typebox';
import { type Operation, operation } from '../../road/operation.ts';
import { byChange, changedSince, latestFirst } from '../../road/read/page.ts';
import { withRemoved } from '../../road/read/removed.ts';
import { inBody } from '../../road/request/reference.ts';
import { every, filters, sql } from '../../store/sql.ts';
import { aGroup, inSubtree } from '../groups/index.ts';
import {
  attendeeTypes,
  changeAttendeeType,
  createAttendeeType,
  deleteAttendeeType,
  typeRules,
} from './attendee-types.ts';
import {
  changeCheckInPoint,
  checkInPoints,
  createCheckInPoint,
  deleteCheckInPoint,
  pointRefers,
  pointRules,
} from './check-in-points.ts';
import { changeDay, createDay, dayRules, days, deleteDay, lockDay, unlockDay } from './days.ts';
import { type DeleteCheckIns, deleteEvent } from './delete-event.ts';
import { discountOperations } from './discount-operations.ts';
import { changeEvent, createEvent, eventRules, type Move, moveEvent } from './events.ts';
import { partOperations } from './part-operations.ts';
import { changeProduct, createProduct, deleteProduct, productRules, products } from './products.ts';
import { type EventRow, eventShape, listEvents, removedIsVisible } from './queries.ts';
import { changeQuestion, createQuestion, deleteQuestion, questionRules, questions } from './questions.ts';
import { changeQuota, createQuota, deleteQuota, quotaRules, quotas } from './quotas.ts';
import { anEvent, openEvent, ownEvent } from './references.ts';
import { isFoundBy } from './search.ts';
import { templateOperations } from './template-operations.ts';

const tag = 'Events';
const writing = { scope: 'write', entitlement: 'api_write', member: 'events.write' } as const;
const reading = { scope: 'read', entitlement: 'api_read', member: 'events.read' } as const;

const move = (verb: Move, past: string, description: string): Operation =>
  operation({
    ...writing,
    id: `${verb}Event`,
    method: 'POST',
    path: `/events/{event}/${verb}`,
    audit: `event.${past}`,
    at: { event: ownEvent },
    reply: Event,
    refusals: [
      'not_found',
      'invalid_state',
      'test_key_live_object',
      ...(verb === 'publish' ? (['license_not_valid'] as const) : []),
    ],
    tag,
    summary: `${verb[0]!.toUpperCase()}${verb.slice(1)} an event`,
    description,
    handle: (call) => moveEvent(call, call.at.event, verb),
  });

const ownOperations = (deleteCheckIns: DeleteCheckIns): Operation[] => [
  operation({
    ...reading,
    id: 'listEvents',
    method: 'GET',
    path: '/events',
    at: {},
    query: Body({
      ...ChangedQuery,
      order: Type.Optional(
        OneOf(['newest', 'date'], {
          description:
            '`newest`: by last change, newest first. `date`: by beginning, latest first, and events without a date before all others. Without it: by last change, oldest first.',
        }),
      ),
      status: Type.Optional(OneOf(EVENT_STATUSES)),
      test: Type.Optional(Type.Boolean({ description: 'Only test events, or only live ones.' })),
      group: Type.Optional(Ref('group', 'Only events of this group and the groups below it.')),
      code: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 63,
          description: 'Only the event with this code; case does not matter.',
        }),
      ),
      search: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description:
            'Words of the name or the code. Each matches the beginning of a word, in any order; case and accents are ignored.',
        }),
      ),
    }),
    reply: Page(Event),
    refusals: [],
    tag,
    summary: 'List events',
    description:
      'By last change, oldest first. A key limited to a group sees the events of that group, of the groups below and above it, and those without a group.',
    handle: async (call) => {
      const { tx, caller, links, query } = call;
      const group = query.group === undefined ? null : await inBody(call, aGroup, query.group, 'group', {});
      const { code, search } = query;
      const later = { ...(code !== undefined && { code }), ...(search !== undefined && { search }) };
      const filtered = [
        'events',
        query.status,
        query.test,
        group?.id,
        ...(Object.keys(later).length > 0 ? [later] : []),
      ];
      const chosen = every([
        filters([
          query.status !== undefined && sql`e.status = ${query.status}`,
          query.test !== undefined && sql`e.test = ${query.test}`,
          code !== undefined && sql`lower(e.code) = lower(${code})`,
          search !== undefined && isFoundBy(search),
          group !== null && inSubtree({ org: caller.org.id, group: group.id }, sql`e.group_id`),
        ]),
      ]);
      if (query.order === 'date') {
        const list = latestFirst([...filtered, query.updated_since, 'date'], query, 'e', 'begins_at');
        const where = every([list.where, changedSince(query, 'e'), chosen]);
        return list.page(await listEvents(tx, caller, where, list.order), (row) => eventShape(row, links));
      }
      const list = byChange(filtered, query, 'e');
      const rows = await listEvents(tx, caller, every([list.where, chosen]), list.order);
      const of = { list: 'events', shown: removedIsVisible(caller) } as const;
      return list.page(await withRemoved(call, list, of, rows), (row) => eventShape(row, links));
    },
  }),
  operation({
    ...reading,
    id: 'getEvent',
    method: 'GET',
    path: '/events/{event}',
    at: { event: anEvent },
    reply: Event,
    refusals: ['not_found'],
    tag,
    summary: 'Get an event',
    handle: async ({ at, links }) => eventShape(at.event, links),
  }),
  operation({
    ...writing,
    id: 'createEvent',
    method: 'POST',
    path: '/events',
    audit: 'event.created',
    at: {},
    body: EventCreate,
    rules: eventRules(() => null),
    reply: Event,
    status: 201,
    refusals: ['code_taken'],
    tag,
    summary: 'Create an event',
    description: 'The event is a draft. Give it days and attendee types, then publish it.',
    handle: (call) => createEvent(call, call.body),
  }),
  operation({
    ...writing,
    id: 'changeEvent',
    method: 'PATCH',
    path: '/events/{event}',
    audit: 'event.changed',
    at: { event: openEvent },
    body: EventChange,
    rules: eventRules((at) => at.event as EventRow),
    reply: Event,
    refusals: ['not_found', 'code_taken', 'invalid_state', 'test_key_live_object'],
    tag,
    summary: 'Change an event',
    description: 'Fields that are left out stay as they are; null clears a field.',
    handle: (call) => changeEvent(call, call.at.event, call.body),
  }),
  operation({
    id: 'deleteEvent',
    scope: 'admin',
    entitlement: 'api_write',
    member: 'events.delete',
    method: 'DELETE',
    path: '/events/{event}',
    audit: 'event.deleted',
    at: { event: ownEvent },
    reply: null,
    status: 204,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    tag,
    summary: 'Delete an event',
    description:
      'Only a draft or an archived event can be deleted. An event with registrations can be deleted only if it is a test event or all of them are tests.',
    handle: (call) => deleteEvent(call, call.at.event, deleteCheckIns),
  }),
  move('publish', 'published', 'Opens the event for registration. It needs a day and an attendee type.'),
  move('close', 'closed', 'Ends registration; scanning goes on. Also reopens an archived event.'),
  move(
    'archive',
    'archived',
    'Keeps the event as it is: nothing can be changed and no ticket can be scanned any more.',
  ),
];

const dayLocks = [
  operation({
    ...writing,
    id: 'lockDay',
    method: 'POST',
    path: '/events/{event}/days/{day}/lock',
    audit: 'day.locked',
    at: { event: openEvent, day: days.reference },
    body: DayLock,
    reply: Day,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    tag: 'Days',
    summary: 'Lock a day',
    description: 'From `at` on, nobody is admitted on this day. Without `at`, from now on.',
    handle: (call) => lockDay(call, call.at.event, call.at.day, call.body),
  }),
  operation({
    ...writing,
    id: 'unlockDay',
    method: 'POST',
    path: '/events/{event}/days/{day}/unlock',
    audit: 'day.unlocked',
    at: { event: openEvent, day: days.reference },
    reply: Day,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    tag: 'Days',
    summary: 'Unlock a day',
    handle: (call) => unlockDay(call, call.at.event, call.at.day),
  }),
];

export const eventOperations = (deleteCheckIns: DeleteCheckIns): Operation[] => [
  ...ownOperations(deleteCheckIns),
  ...partOperations(days, {
    name: 'Day',
    words: 'day',
    plural: 'Days',
    path: '/events/{event}/days',
    schemas: { item: Day, create: DayCreate, change: DayChange },
    rules: dayRules,
    create: createDay,
    change: changeDay,
    remove: deleteDay,
    removeNote:
      'Refused while an attendee is registered for the day, or an attendee type or check-in point is limited to it.',
  }),
  ...dayLocks,
  ...partOperations(attendeeTypes, {
    name: 'AttendeeType',
    words: 'attendee type',
    plural: 'AttendeeTypes',
    path: '/events/{event}/attendee-types',
    schemas: { item: AttendeeType, create: AttendeeTypeCreate, change: AttendeeTypeChange },
    rules: typeRules,
    create: createAttendeeType,
    change: changeAttendeeType,
    remove: deleteAttendeeType,
    removeNote: 'Refused while an attendee has the type, or a question or check-in point is limited to it.',
  }),
  ...partOperations(products, {
    name: 'Product',
    words: 'product',
    plural: 'Products',
    path: '/events/{event}/products',
    schemas: { item: Product, create: ProductCreate, change: ProductChange },
    rules: productRules,
    create: createProduct,
    change: changeProduct,
    remove: deleteProduct,
    removeNote:
      'Refused once somebody has booked it, and while a discount, a shared limit or a check-in point names it.',
  }),
  ...partOperations(quotas, {
    name: 'Quota',
    words: 'shared limit',
    plural: 'Quotas',
    path: '/events/{event}/quotas',
    schemas: { item: Quota, create: QuotaCreate, change: QuotaChange },
    rules: quotaRules,
    create: createQuota,
    change: changeQuota,
    remove: deleteQuota,
    removeNote: 'Whatever is booked stays booked.',
  }),
  ...discountOperations,
  ...partOperations(questions, {
    name: 'Question',
    words: 'question',
    plural: 'Questions',
    path: '/events/{event}/questions',
    schemas: { item: Question, create: QuestionCreate, change: QuestionChange },
    rules: questionRules,
    create: createQuestion,
    change: changeQuestion,
    remove: deleteQuestion,
    removeNote: 'Answers that were already given stay with the attendees.',
  }),
  ...partOperations(checkInPoints, {
    name: 'CheckInPoint',
    words: 'check-in point',
    plural: 'CheckInPoints',
    path: '/events/{event}/check-in-points',
    schemas: { item: CheckInPoint, create: CheckInPointCreate, change: CheckInPointChange },
    rules: pointRules,
    refers: pointRefers,
    create: createCheckInPoint,
    change: changeCheckInPoint,
    remove: deleteCheckInPoint,
    removeNote: 'Refused once a ticket was scanned at the point, and while an exit leads out of it.',
  }),
  ...templateOperations,
];
