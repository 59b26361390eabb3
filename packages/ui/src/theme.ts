export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
const KEY = 'turnout.theme';

/** Storage can be forbidden by the browser; then the choice lasts until the page is left. */
export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
export function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // It is only a convenience.
  }
}

export const currentTheme = (): Theme => THEMES.find((theme) => theme === readKept(KEY)) ?? 'system';

/** Light, dark, or as the system has it. */
export function applyTheme(theme: Theme = currentTheme()): void {
  keep(KEY, theme === 'system' ? null : theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
