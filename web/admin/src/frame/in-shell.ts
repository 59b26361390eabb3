import { createContext } from 'react';

/** Whether the shell is around the page: then there is a `main` already. */
export const InShell = createContext(false);

/** Opens the search of the whole app (Ctrl-K); null where there is none. */
export const PaletteContext = createContext<(() => void) | null>(null);

/** Where the frame of an event draws what stands in the shell while an event is open. */
export interface ShellPlaces {
  /** In the sidebar, in place of the organization's navigation. */
  side: HTMLElement | null;
  /** In the line at the top of a phone, in place of the organization's name. */
  top: HTMLElement | null;
  /** At the bottom of a phone. */
  bar: HTMLElement | null;
  /** Opens the sidebar on a phone. */
  openMenu: () => void;
  /** Takes the places for as long as the frame is there; returns what gives them back. */
  take: () => () => void;
}
export const ShellPlacesContext = createContext<ShellPlaces | null>(null);
