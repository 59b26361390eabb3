import { type Discount, type DiscountChange, type DiscountCreate, discountKey, MAX_DISCOUNTS } from '@turnout/contract';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { type Fault, invalid, refuse, requireValid } from '../../common/refusal.ts';
import type { Rule, Work } from '../../road/operation.ts';
import { audiencesOf, noteRemoved } from '../../road/read/removed.ts';
import { allInBody, inBody, reference } from '../../road/request/reference.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import { type Differences, diff, resets } from '../../road/write/diff.ts';
import { stampEvent } from '../../store/clocks.ts';
import { insertRow, updateRow } from '../../store/rows.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { iso } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { aGroup } from '../groups/index.ts';
import { attendeeTypes } from './attendee-types.ts';
import { discountShape, givenOf, listDiscounts, type ShownDiscount } from './discount-reading.ts';
import { products } from './products.ts';
import { type EventRow, findEvent } from './queries.ts';
import { isTest } from './references.ts';

/**
 * An event in which the caller may have discounts of its own: any that it sees and that is not archived. Which discounts it may change
 * there says `aDiscount`.
 */
export const discountsEvent = reference<EventRow>({
  kind: 'event',
  byCode: true,
  isTest,
  find: async ({ tx, caller, mode }, ref) => {
    const event = await findEvent(tx, caller, ref, 'read');
    if (event === null) return null;
    if (mode === 'test' && !event.test) refuse('test_key_live_object');
    if (event.status === 'archived')
      refuse('invalid_state', {
        message: 'The event is archived, so its discounts cannot be changed. Close it first.',
      });
    return event;
  },
});

// ---- what a body may say
type Values = Pick<DiscountCreate, 'kind' | 'value' | 'opens_at' | 'closes_at'>;

const valueFaults = (kind: Values['kind'], value: number): Fault[] =>
  kind === 'percent' && (value < 1 || value > 100)
    ? [{ path: 'value', message: 'must be between 1 and 100, because it is a percentage' }]
    : [];

const timeFaults = (opens: string | null, closes: string | null): Fault[] =>
  opens !== null && closes !== null && Date.parse(closes) <= Date.parse(opens)
    ? [{ path: 'closes_at', message: 'must be after `opens_at`' }]
    : [];

/** The rules for the body of a call. What the body leaves out comes from the discount as it is (`before`). */
export const discountRules = (
  before: (at: Record<string, unknown>) => ShownDiscount | null,
): Rule<{ at: Record<string, unknown>; body: ValidPart<DiscountChange> }>[] => [
  {
    of: ['kind', 'value'],
    faults: ({ at, body: { kind = before(at)?.kind, value = before(at)?.value } }) =>
      kind === undefined || value === undefined ? [] : valueFaults(kind, value),
  },
  {
    of: ['opens_at', 'closes_at'],
    faults: ({ at, body: { opens_at = before(at)?.opens_at, closes_at = before(at)?.closes_at } }) =>
      timeFaults(opens_at ?? null, closes_at ?? null),
  },
];

const utc = (at: string | null | undefined): string | null | undefined => (at == null ? at : iso(new Date(at)));

/** The group that a new discount has, or that it gets. Whoever does not reach the event's group has to name one that it reaches. */
async function groupOf(work: Work, event: EventRow, ref: string | null | undefined): Promise<Id | null> {
  if (ref != null) return (await inBody(work, aGroup, ref, 'group', {})).id;
  if (await reachesAll(work, event)) return null;
  if (ref === null) invalid({ path: 'group', message: 'must not be null, because this key is limited to a group' });
  return work.caller.group!.id;
}

async function reachesAll({ tx, caller }: Work, event: EventRow): Promise<boolean> {
  return caller.group === null || (await findEvent(tx, caller, toUlid(event.id), 'change')) !== null;
}

export type DiscountValues = Omit<DiscountCreate, 'code'>;

/** The columns of what a body names; fields that it leaves out are left out. */
export async function discountColumns(work: Work, event: EventRow, body: Partial<DiscountValues>) {
  const { attendee_types, products: productRefs, reveals, group: _group, opens_at, closes_at, ...plain } = body;
  const ids = async (refs: readonly string[], path: 'attendee_types' | 'products' | 'reveals') => {
    const of = path === 'products' ? products.reference : attendeeTypes.reference;
    return (await allInBody(work, of, refs, path, { event })).map(({ id }) => id);
  };
  return {
    ...plain,
    opens_at: utc(opens_at),
    closes_at: utc(closes_at),
    ...(attendee_types !== undefined && {
      attendee_type_ids: attendee_types && (await ids(attendee_types, 'attendee_types')),
    }),
    ...(productRefs !== undefined && { product_ids: productRefs && (await ids(productRefs, 'products')) }),
    ...(reveals !== undefined && { reveal_ids: await ids(reveals, 'reveals') }),
  };
}

/** The columns of a new discount, apart from its id, code and stamps. */
export async function newDiscount(work: Work, event: EventRow, body: DiscountValues) {
  requireValid([...valueFaults(body.kind, body.value), ...timeFaults(body.opens_at ?? null, body.closes_at ?? null)]);
  return {
    product_ids: [],
    active: true,
    ...(await discountColumns(work, event, body)),
    name: body.name,
    kind: body.kind,
    value: body.value,
    group_id: await groupOf(work, event, body.group),
  };
}

/** Refuses discounts beyond the limit. The event's clock is held, so nobody adds one between the count and the commit. */
export async function requireDiscountRoom(tx: Tx, org: Id, event: Id, more: number): Promise<void> {
  const { made } = await tx.one<{ made: number }>(
    sql`select count(*)::int as made from discounts where org_id = ${org} and event_id = ${event}`,
  );
  if (made + more <= MAX_DISCOUNTS) return;
  const room = `An event can have at most ${MAX_DISCOUNTS.toLocaleString('en')} discounts, and this one has ${made.toLocaleString('en')}.`;
  refuse('invalid_state', { message: `${room} Delete those that are not needed first.` });
}

async function requireFreeCode(work: Work, event: EventRow, code: string, except: Id | null): Promise<void> {
  const taken = await work.tx.maybe(sql`
    select 1 from discounts
    where org_id = ${work.org} and event_id = ${event.id} and code_key = ${discountKey(code)} and id is distinct from ${except}`);
  if (taken !== null)
    refuse('code_taken', {
      message: `The code ${code} is already taken. Case, spaces and dashes do not make another one.`,
    });
}

export async function createDiscount(work: Work, event: EventRow, body: DiscountCreate): Promise<Discount> {
  const { tx, org } = work;
  const stamp = await stampEvent(tx, org, event.id);
  const { code, ...values } = body;
  const columns = await newDiscount(work, event, values);
  await requireFreeCode(work, event, code, null);
  await requireDiscountRoom(tx, org, event.id, 1);
  const id = newId(tx.clock.now());
  await insertRow(tx, 'discounts', {
    org_id: org,
    id,
    event_id: event.id,
    code,
    code_key: discountKey(code),
    ...columns,
    created_at: stamp,
    updated_at: stamp,
  });
  const row = await reread(work, event, id);
  const shape = discountShape(row, event, 0);
  work.changed(change(event, row, diff(null, shape)));
  return shape;
}

export async function changeDiscount(
  work: Work,
  event: EventRow,
  found: ShownDiscount,
  body: DiscountChange,
): Promise<Discount> {
  const { tx, org } = work;
  const stamp = await stampEvent(tx, org, event.id);
  const before = await reread(work, event, found.id);
  const { code, ...values } = body;
  const { kind = before.kind, value = before.value, opens_at = before.opens_at, closes_at = before.closes_at } = body;
  const columns = await discountColumns(work, event, values);
  const group = body.group === undefined ? before.group_id : await groupOf(work, event, body.group);
  requireValid([...valueFaults(kind, value), ...timeFaults(opens_at, closes_at)]);
  if (code !== undefined && code !== before.code) {
    await requireFreeCode(work, event, code, before.id);
    await requireUnused(
      work,
      before,
      'must keep its code. Make another discount for the new code, and switch this one off with `active: false`.',
    );
  }
  await updateRow(tx, 'discounts', sql`org_id = ${org} and id = ${before.id}`, {
    ...columns,
    ...(code !== undefined && { code, code_key: discountKey(code) }),
    group_id: group,
    updated_at: stamp,
  });
  if (group !== before.group_id) await noteLeft(work, event, stamp, before, group);
  const after = await reread(work, event, before.id);
  const given = (await givenOf(tx, org, event, [before.id]))(before.id);
  const [was, is] = [discountShape(before, event, given), discountShape(after, event, given)];
  work.changed({ ...change(event, after, diff(was, is)), ...(!resets(before, after) && { was }) });
  return is;
}

export async function deleteDiscount(work: Work, event: EventRow, found: ShownDiscount): Promise<undefined> {
  const { tx, org } = work;
  const stamp = await stampEvent(tx, org, event.id);
  const row = await reread(work, event, found.id);
  await requireUnused(work, row, 'cannot be deleted. Switch it off with `active: false` instead.');
  await noteLeft(work, event, stamp, row, 'deleted');
  await tx.run(sql`delete from discounts where org_id = ${org} and id = ${row.id}`);
  work.changed(change(event, row, diff(discountShape(row, event, 0), null)));
  return undefined;
}

/** The discount as it is now that the event's clock is held: it may have changed since the path was resolved. */
async function reread(work: Work, event: EventRow, id: Id): Promise<ShownDiscount> {
  return (await listDiscounts(work, event, sql`d.id = ${id}`))[0] ?? refuse('not_found');
}

/** A registration keeps the code that it was made with, cancelled or not. */
async function requireUnused({ tx, org }: Work, { id, code }: ShownDiscount, what: string): Promise<void> {
  const of = (table: Sql) => sql`exists (select from ${table} where org_id = ${org} and discount_id = ${id})`;
  const { used } = await tx.one<{ used: boolean }>(
    sql`select ${of(sql`registrations`)} or ${of(sql`attendees`)} as used`,
  );
  if (used)
    refuse('invalid_state', { message: `Somebody has registered with the code ${code}, so the discount ${what}` });
}

/** Notes who no longer sees a discount: it went from one group to another or to none, or was deleted. */
async function noteLeft(
  { tx, org }: Work,
  event: EventRow,
  stamp: string,
  { id, group_id }: ShownDiscount,
  is: Id | null | 'deleted',
): Promise<void> {
  const groups = [event.group_id, group_id, is].filter((group) => group !== null && group !== 'deleted');
  const paths = await tx.all<{ id: Id; path: Id[] }>(
    sql`select id, path from groups where org_id = ${org} and id = any(${groups}::uuid[])`,
  );
  const pathOf = (group: Id | null): Id[] => paths.find((one) => one.id === group)?.path ?? [];
  const saw = new Set(audiencesOf(org, [...pathOf(event.group_id), ...pathOf(group_id)]));
  const sees = is === 'deleted' ? new Set<Id>() : new Set([org, ...pathOf(event.group_id), ...pathOf(is)]);
  const audiences = [...saw].filter((audience) => !sees.has(audience));
  noteRemoved(
    tx,
    org,
    stamp,
    audiences.map((audience) => ({ list: 'discounts', id, audience, event: event.id })),
  );
}

/** Uses are no changes of the discount. */
function change(event: EventRow, { id, group_id }: ShownDiscount, changes: Differences) {
  for (const field of ['used', 'given_minor']) delete changes[field];
  return { kind: 'discount', id, event: event.id, group: group_id ?? event.group_id, changes };
}
