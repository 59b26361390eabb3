import { createContext } from 'react';

/** Whether the shell is around the page: then there is a `main` already. */
export const InShell = createContext(false);

/** Opens the search of the whole app (Ctrl-K); null where there is none. */
export const PaletteContext = createContext<(() => void) | null>(null);
