/** White space, dashes and what cannot be seen: a soft hyphen, a mark of direction, a zero-width space. */
const BETWEEN = /[\p{White_Space}\p{Dash}\p{Cf}]+/gu;

/**
 * A ticket's code as it is kept, from a code as it was read, typed or pasted. A ticket prints it in groups of four, so spaces
 * and dashes never matter, of whatever kind, and neither does case. A roster holds the SHA-256 of this.
 */
export function ticketCode(text: string): string {
  return text.replace(BETWEEN, '').toUpperCase();
}
