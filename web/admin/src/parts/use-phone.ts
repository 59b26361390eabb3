import { useSyncExternalStore } from 'react';

/** Whether the screen is so narrow that a table is drawn as cards. */
export const usePhone = (): boolean => useNarrowerThan(40);

/** Whether the screen is at most so many rem wide: for columns that are shown by themselves only where all of them fit. */
export function useNarrowerThan(rem: number): boolean {
  const { listen, matches } = widthOf(rem);
  return useSyncExternalStore(listen, matches);
}

/** The same for all: React asks with every drawing, and a new query makes the browser work out its styles. */
const known = new Map<number, { listen: (listener: () => void) => () => void; matches: () => boolean }>();
function widthOf(rem: number) {
  const found = known.get(rem);
  if (found !== undefined) return found;
  const media = matchMedia(`(max-width: ${rem}rem)`);
  const width = {
    matches: () => media.matches,
    listen: (listener: () => void) => {
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
  };
  known.set(rem, width);
  return width;
}
