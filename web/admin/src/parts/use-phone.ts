import { useSyncExternalStore } from 'react';

const NARROW = '(max-width: 40rem)';

/** Whether the screen is so narrow that a table is drawn as cards. */
export const usePhone = (): boolean => useSyncExternalStore(listen, () => narrow().matches);

let known: MediaQueryList | undefined;
/** The same for all: React asks with every drawing, and a new query makes the browser work out its styles. */
const narrow = (): MediaQueryList => {
  known ??= matchMedia(NARROW);
  return known;
};

function listen(listener: () => void): () => void {
  const media = narrow();
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}
