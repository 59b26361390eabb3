export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
const KEY = 'turnout.theme';

/** Storage can be forbidden by the browser; then the choice lasts until the page is left. */
export function readChoice(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
export function storeChoice(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // It is only a convenience.
  }
}

export const currentTheme = (): Theme => THEMES.find((theme) => theme === readChoice(KEY)) ?? 'system';

/** Light, dark, or as the system has it. */
export function applyTheme(theme: Theme = currentTheme()): void {
  storeChoice(KEY, theme === 'system' ? null : theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
