import { Body, ChangedQuery, Page, type ReferenceKind } from '@turnout/contract';
import type { Static, TSchema } from 'typebox';
import { type Operation, operation, type Work } from '../../road/operation.ts';
import { byChange } from '../../road/read/page.ts';
import { withRemoved } from '../../road/read/removed.ts';
import type { AnyReference, Reference } from '../../road/request/reference.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import type { EventRow } from './queries.ts';
import { anEvent, openEvent } from './references.ts';
import type { PartRow, PartRule, Structure } from './structure.ts';

interface Parts<Row extends PartRow, I extends TSchema, C extends TSchema, P extends TSchema> {
  name: string;
  words: string;
  plural: string;
  path: string;
  schemas: { item: I; create: C; change: P };
  create: (work: Work, event: EventRow, body: Static<C>) => Promise<Static<I>>;
  change: (work: Work, event: EventRow, row: Row, body: Static<P>) => Promise<Static<I>>;
  remove: (work: Work, event: EventRow, row: Row) => Promise<undefined>;
  removeNote: string;
  /** Rules over a body together with the part as it was before. */
  rules?: readonly PartRule<Row, Static<C> | Static<P>>[];
  refers?: Readonly<Record<string, AnyReference>>;
}

/** The five operations that every part of an event's structure has: list, get, create, change and delete. */
export function partOperations<Row extends PartRow, I extends TSchema, C extends TSchema, P extends TSchema>(
  structure: Structure<Row, Static<I> & object, keyof Static<I> & string>,
  parts: Parts<Row, I, C, P>,
): Operation[] {
  const { kind } = structure.part;
  const part = structure.reference as Reference<Row, { event: EventRow }>;
  const one = `${parts.path}/{${kind satisfies ReferenceKind}}`;
  const tag = `${parts.words[0]!.toUpperCase()}${parts.words.slice(1)}s`;
  const article = /^[aeiou]/.test(parts.words) ? 'an' : 'a';
  const reading = { scope: 'read', entitlement: 'api_read', member: 'events.read', tag } as const;
  const writing = { scope: 'write', entitlement: 'api_write', member: 'events.write', tag } as const;
  const { refers } = parts;
  const rules = (before: (at: Record<string, unknown>) => Row | null) =>
    parts.rules?.map(({ of, faults }) => ({
      of,
      faults: (call: Work & { at: Record<string, unknown>; body: unknown }) =>
        faults(call.at.event as EventRow, before(call.at), call.body as ValidPart<Static<C> | Static<P>>, call),
    })) ?? [];
  return [
    operation({
      ...reading,
      id: `list${parts.plural}`,
      method: 'GET',
      path: parts.path,
      at: { event: anEvent },
      query: Body(ChangedQuery),
      reply: Page(parts.schemas.item),
      refusals: ['not_found'],
      summary: `List ${parts.words}s`,
      description: 'By last change, oldest first.',
      handle: async (call) => {
        const { tx, org, at, query } = call;
        const list = byChange([kind, at.event.id], query, 't');
        const rows = await structure.all(tx, org, at.event.id, list.where, list.order);
        const of = { list: structure.part.table, event: at.event.id, whole: true };
        return list.page(await withRemoved(call, list, of, rows), (row) =>
          structure.part.shape(row, at.event, tx.clock.now()),
        ) as never;
      },
    }),
    operation({
      ...reading,
      id: `get${parts.name}`,
      method: 'GET',
      path: one,
      at: { event: anEvent, [kind]: part },
      reply: parts.schemas.item,
      refusals: ['not_found'],
      summary: `Get ${article} ${parts.words}`,
      handle: async ({ at, tx }) =>
        structure.part.shape(at[kind] as Row, at.event as EventRow, tx.clock.now()) as never,
    }),
    operation({
      ...writing,
      id: `create${parts.name}`,
      method: 'POST',
      path: parts.path,
      audit: `${kind}.created`,
      at: { event: openEvent },
      body: parts.schemas.create,
      rules: rules(() => null),
      ...(refers && { refers }),
      reply: parts.schemas.item,
      status: 201,
      refusals: ['not_found', 'code_taken', 'invalid_state', 'test_key_live_object'],
      summary: `Create ${article} ${parts.words}`,
      handle: (call) => parts.create(call, call.at.event, call.body),
    }),
    operation({
      ...writing,
      id: `change${parts.name}`,
      method: 'PATCH',
      path: one,
      audit: `${kind}.changed`,
      at: { event: openEvent, [kind]: part },
      body: parts.schemas.change,
      rules: rules((at) => at[kind] as Row),
      ...(refers && { refers }),
      reply: parts.schemas.item,
      refusals: ['not_found', 'code_taken', 'invalid_state', 'test_key_live_object'],
      summary: `Change ${article} ${parts.words}`,
      description: 'Fields that are left out stay as they are; null clears a field.',
      handle: (call) => parts.change(call, call.at.event as EventRow, call.at[kind] as Row, call.body),
    }),
    operation({
      ...writing,
      id: `delete${parts.name}`,
      method: 'DELETE',
      path: one,
      audit: `${kind}.deleted`,
      at: { event: openEvent, [kind]: part },
      reply: null,
      status: 204,
      refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
      summary: `Delete ${article} ${parts.words}`,
      description: parts.removeNote,
      handle: (call) => parts.remove(call, call.at.event as EventRow, call.at[kind] as Row),
    }),
  ];
}
