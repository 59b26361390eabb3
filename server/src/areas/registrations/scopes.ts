import type { RefusalCode } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import type { EventWorld } from './world.ts';

/** Something that can run out. */
export interface Scope {
  code: Extract<
    RefusalCode,
    'event_full' | 'type_full' | 'day_full' | 'product_full' | 'quota_full' | 'discount_used_up'
  >;
  /** Null: never. */
  capacity: number | null;
  /** As the subject of a sentence. */
  words: string;
  /** What it has so many of. */
  unit: 'place' | 'unit' | 'use';
}

/** In which order they are refused. */
export const SCOPE_ORDER: readonly Scope['code'][] = [
  'event_full',
  'type_full',
  'day_full',
  'product_full',
  'quota_full',
  'discount_used_up',
];

const known = new WeakMap<object, ReadonlyMap<Id, Scope>>();

/** The scopes of an event's structure. They are gathered once for each version of it; the event itself may change without that. */
export function scopesOf(world: EventWorld): ReadonlyMap<Id, Scope> {
  const found = known.get(world.days);
  if (found !== undefined) return found;
  const scopes = new Map<Id, Scope>();
  const place = { unit: 'place' } as const;
  for (const { id, code, capacity } of world.types.values()) {
    scopes.set(id, { code: 'type_full', capacity, words: `The attendee type ${code}`, ...place });
  }
  for (const { id, code, capacity } of world.days.values()) {
    scopes.set(id, { code: 'day_full', capacity, words: `The day ${code}`, ...place });
  }
  for (const product of world.products.values()) {
    const unit = { code: 'product_full', unit: 'unit' } as const;
    scopes.set(product.id, { ...unit, capacity: product.capacity, words: `The product ${product.code}` });
    for (const { id, code, capacity } of product.options) {
      scopes.set(id, { ...unit, capacity, words: `The option ${code} of the product ${product.code}` });
    }
  }
  for (const { id, code, capacity } of world.quotas.values()) {
    scopes.set(id, { code: 'quota_full', capacity, words: `The shared limit ${code}`, ...place });
  }
  known.set(world.days, scopes);
  return scopes;
}

export const scopeOfEvent = ({ event: { capacity } }: EventWorld): Scope => ({
  code: 'event_full',
  capacity,
  words: 'The event',
  unit: 'place',
});
