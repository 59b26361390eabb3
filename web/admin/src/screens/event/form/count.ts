/** Digits, perhaps in groups of three, as people write a thousand: `1000`, `1,000`, `1.000`, `1 000`. */
const WRITTEN = /^(?:\d+|\d{1,3}(?:[.,'’\s\u00a0\u202f]\d{3})+)$/;

export function parseCount(text: string): number | null {
  const typed = text.trim();
  return WRITTEN.test(typed) ? Number(typed.replace(/\D/g, '')) : null;
}
