import {
  Body,
  ChangedQuery,
  Discount,
  DiscountBatch,
  DiscountChange,
  DiscountCreate,
  Job,
  Page,
} from '@turnout/contract';
import Type from 'typebox';
import { operation } from '../../road/operation.ts';
import { byChange } from '../../road/read/page.ts';
import { withRemoved } from '../../road/read/removed.ts';
import { every, filters, sql } from '../../store/sql.ts';
import { startBatch } from './discount-batch.ts';
import {
  aDiscount,
  discountIsFoundBy,
  discountShape,
  givenOf,
  listDiscounts,
  removedDiscountIsVisible,
  type ShownDiscount,
} from './discount-reading.ts';
import { changeDiscount, createDiscount, deleteDiscount, discountRules, discountsEvent } from './discounts.ts';
import { anEvent } from './references.ts';

const tag = 'Discounts';
// A code is worth money, so members who only work at the door do not see them.
const reading = { scope: 'read', entitlement: 'api_read', member: 'people.read', tag } as const;
const writing = { scope: 'write', entitlement: 'api_write', member: 'events.write', tag } as const;
const one = '/events/{event}/discounts/{discount}';
const own = { event: discountsEvent, discount: aDiscount };

export const discountOperations = [
  operation({
    ...reading,
    id: 'listDiscounts',
    method: 'GET',
    path: '/events/{event}/discounts',
    at: { event: anEvent },
    query: Body({
      ...ChangedQuery,
      active: Type.Optional(Type.Boolean({ description: 'Only those that are active, or only those that are not.' })),
      search: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description:
            'The beginning of the code, or words of the name. Each word matches the beginning of a word, in any order; case and accents are ignored.',
        }),
      ),
    }),
    reply: Page(Discount),
    refusals: ['not_found'],
    summary: 'List discounts',
    description:
      'By last change, oldest first. Being used does not change a discount, so `used` and `given_minor` may differ while `updated_at` is the same. A caller limited to a group below that of the event sees the discounts of its group and the groups below it.',
    handle: async (call) => {
      const { tx, org, at, query } = call;
      const { active, search } = query;
      const list = byChange(['discounts', at.event.id, active, search], query, 'd');
      const chosen = filters([
        active !== undefined && sql`d.active = ${active}`,
        search !== undefined && discountIsFoundBy(org, at.event.id, search),
      ]);
      const rows = await listDiscounts(call, at.event, every([list.where, chosen]), list.order);
      const of = { list: 'discounts', event: at.event.id, shown: removedDiscountIsVisible(call, at.event) } as const;
      const shown = await withRemoved(call, list, of, rows);
      const given = await givenOf(
        tx,
        org,
        at.event,
        shown.map(({ id }) => id),
      );
      return list.page(shown, (row) => discountShape(row, at.event, given(row.id)));
    },
  }),
  operation({
    ...reading,
    id: 'getDiscount',
    method: 'GET',
    path: one,
    at: { event: anEvent, discount: aDiscount },
    reply: Discount,
    refusals: ['not_found'],
    summary: 'Get a discount',
    handle: async ({ tx, org, at }) => {
      const given = await givenOf(tx, org, at.event, [at.discount.id]);
      return discountShape(at.discount, at.event, given(at.discount.id));
    },
  }),
  operation({
    ...writing,
    id: 'createDiscount',
    method: 'POST',
    path: '/events/{event}/discounts',
    audit: 'discount.created',
    at: { event: discountsEvent },
    body: DiscountCreate,
    rules: discountRules(() => null),
    reply: Discount,
    status: 201,
    refusals: ['not_found', 'code_taken', 'invalid_state', 'test_key_live_object'],
    summary: 'Create a discount',
    description:
      'A caller limited to a group below that of the event can only make discounts for its group and the groups below it.',
    handle: (call) => createDiscount(call, call.at.event, call.body),
  }),
  operation({
    ...writing,
    id: 'changeDiscount',
    method: 'PATCH',
    path: one,
    audit: 'discount.changed',
    at: own,
    body: DiscountChange,
    rules: discountRules((at) => at.discount as ShownDiscount),
    reply: Discount,
    refusals: ['not_found', 'code_taken', 'invalid_state', 'test_key_live_object'],
    summary: 'Change a discount',
    description:
      'Fields that are left out stay as they are; null clears a field. Whoever has registered keeps the price that was agreed on.',
    handle: (call) => changeDiscount(call, call.at.event, call.at.discount, call.body),
  }),
  operation({
    ...writing,
    id: 'deleteDiscount',
    method: 'DELETE',
    path: one,
    audit: 'discount.deleted',
    at: own,
    reply: null,
    status: 204,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    summary: 'Delete a discount',
    description: 'Refused once somebody has registered with its code. Switch it off with `active: false` instead.',
    handle: (call) => deleteDiscount(call, call.at.event, call.at.discount),
  }),
  operation({
    ...writing,
    id: 'createDiscountBatch',
    method: 'POST',
    path: '/events/{event}/discounts/batches',
    audit: 'discount_batch.started',
    at: { event: discountsEvent },
    body: DiscountBatch,
    rules: discountRules(() => null),
    reply: Job,
    status: 202,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object', 'too_many_jobs'],
    summary: 'Create many codes',
    description:
      'Starts a job (`kind: discount_batch`) that makes `count` codes with the same values, each a discount of its own. Its `result_url` is a CSV file with each code and the address of the event’s page with that code (`?code=`). If the event cannot have so many more discounts, none is made.',
    handle: (call) => startBatch(call, call.at.event, call.body),
  }),
];
