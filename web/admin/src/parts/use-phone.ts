import { useSyncExternalStore } from 'react';

const NARROW = '(max-width: 40rem)';

/** Whether the screen is so narrow that a table is drawn as cards. */
export const usePhone = (): boolean => useSyncExternalStore(listen, () => matchMedia(NARROW).matches);

function listen(listener: () => void): () => void {
  const media = matchMedia(NARROW);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}
