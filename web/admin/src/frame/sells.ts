import { isPaid } from '@turnout/contract/prices';
import { useEvent } from './event.tsx';
import type { Sells } from './event-sections.ts';
import { useOrganization } from './organization.tsx';

/** What the event sells beside its tickets. Whoever takes money for tickets is likely to want the rest, so it is offered as a whole. */
export function useSells(): Sells {
  const { may } = useOrganization();
  const { types, products, limits, hasCodes } = useEvent();
  const all = types.some(isPaid) && may('events.write');
  return { products: all || products.length > 0, codes: all || hasCodes, limits: all || limits.length > 0 };
}
