import { accentOf, contrast } from '@turnout/contract/accent';

export { accentOf, contrast };

/** Gives the page the organization's colour; null or something that is no colour: ours. */
export function applyAccent(hex: string | null): void {
  const { style } = document.documentElement;
  if (hex === null || !/^#[0-9a-f]{6}$/i.test(hex)) {
    style.removeProperty('--accent-light');
    style.removeProperty('--accent-dark');
    return;
  }
  const { light, dark } = accentOf(hex);
  style.setProperty('--accent-light', light);
  style.setProperty('--accent-dark', dark);
}
