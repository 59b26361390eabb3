import { type RefObject, useEffect, useRef } from 'react';
import { useFilters } from './use-filters.ts';

/** `?part=` in the address leads to one of the parts of a long screen: the child with this `data-part` of the element. */
export function usePart(): RefObject<HTMLDivElement | null> {
  const { part } = useFilters().values;
  const parts = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (part === undefined) return;
    const wanted = [...(parts.current?.children ?? [])].find((one) => (one as HTMLElement).dataset.part === part);
    wanted?.scrollIntoView({ block: 'start' });
    wanted?.querySelector<HTMLElement>('input, select, textarea, button')?.focus({ preventScroll: true });
  }, [part]);
  return parts;
}
