import { effect, signal } from '@preact/signals';
import { readChoice, storeChoice } from './stored-choices.ts';

const KEY = 'turnout.scan.settings';
const THEME = 'turnout.theme';

export type Hand = 'right' | 'left';
export type Theme = 'system' | 'light' | 'dark';

/** What whoever holds the device has chosen. None of it is needed to scan. */
export interface Settings {
  readonly hand: Hand;
  readonly sound: boolean;
  readonly vibration: boolean;
  /** The paired event that is open. */
  readonly open: string | null;
  /** The paired event that this device is a kiosk for. It stays one when the page is loaded again. */
  readonly kiosk: string | null;
  /** Paired events that are in test mode. It stays on when the page is loaded again: nobody overlooks it, unlike its silent end. */
  readonly testing: readonly string[];
  /** Hints that were read. */
  readonly read: readonly string[];
}
const USUAL: Settings = {
  hand: 'right',
  sound: true,
  vibration: true,
  open: null,
  kiosk: null,
  testing: [],
  read: [],
};

/**
 * The choices in a stored text, which is of format 1 and has no number. What another version, or anybody else, has left there in another
 * shape counts as not chosen.
 */
export function settingsIn(text: string | null): Settings {
  const stored = objectIn(text);
  const flag = (value: unknown, usual: boolean) => (typeof value === 'boolean' ? value : usual);
  const id = (value: unknown) => (typeof value === 'string' ? value : null);
  const ids = (value: unknown) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []);
  return {
    hand: stored.hand === 'left' ? 'left' : USUAL.hand,
    sound: flag(stored.sound, USUAL.sound),
    vibration: flag(stored.vibration, USUAL.vibration),
    open: id(stored.open),
    kiosk: id(stored.kiosk),
    testing: ids(stored.testing),
    read: ids(stored.read),
  };
}

function objectIn(text: string | null): Partial<Record<keyof Settings | 'format', unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    const kept: ReturnType<typeof objectIn> = typeof value === 'object' && value !== null ? value : {};
    return (kept.format ?? 1) === 1 ? kept : {};
  } catch {
    return {};
  }
}

export const settings = signal<Settings>(settingsIn(readChoice(KEY)));
export function change(some: Partial<Settings>): void {
  settings.value = { ...settings.value, ...some };
  storeChoice(KEY, JSON.stringify(settings.value));
}
export const hasRead = (hint: string): boolean => settings.value.read.includes(hint);
export const markRead = (hint: string): void => change({ read: [...settings.value.read, hint] });

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
/** The same key as in the organizer's app. */
export const theme = signal<Theme>(THEMES.find((one) => one === readChoice(THEME)) ?? 'system');

/** Puts the choices that style sheets look at onto the page. */
export function beginDressing(): void {
  effect(() => {
    const page = document.documentElement.dataset;
    if (theme.value === 'system') delete page.theme;
    else page.theme = theme.value;
    storeChoice(THEME, theme.value === 'system' ? null : theme.value);
  });
  effect(() => {
    document.documentElement.dataset.hand = settings.value.hand;
  });
}
