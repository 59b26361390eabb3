type Rgb = readonly [number, number, number];

/** The colours of the apps and pages that an accent must be readable on, the hardest of each appearance. */
const LIGHT_PAPER: Rgb = [0xee, 0xf1, 0xf3];
const DARK_PAPER: Rgb = [0x25, 0x2e, 0x36];
const ENOUGH = 4.5;

const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** Relative luminance, as WCAG 2 defines it. */
function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(rgbOf(a)), luminance(rgbOf(b))];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** The colour, mixed with black or white just so far that it can be read on the background. */
function readable(colour: Rgb, paper: Rgb, towards: Rgb): string {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = hexOf(colour.map((part, i) => part + (towards[i]! - part) * share) as unknown as Rgb);
    if (contrast(mixed, hexOf(paper)) >= ENOUGH) return mixed;
  }
  return hexOf(towards);
}

/** Both colours of an accent: as dark as it must be on light paper, as light as it must be on dark. */
export function accentOf(hex: string): { light: string; dark: string } {
  const colour = rgbOf(hex);
  return {
    light: readable(colour, LIGHT_PAPER, [0, 0, 0]),
    dark: readable(colour, DARK_PAPER, [255, 255, 255]),
  };
}
