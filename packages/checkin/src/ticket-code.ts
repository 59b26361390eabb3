/** White space, dashes and invisible characters such as soft hyphens, direction marks and zero-width spaces. */
const BETWEEN = /[\p{White_Space}\p{Dash}\p{Cf}]+/gu;

/**
 * The code of a ticket as it is stored, from a code as it was scanned, typed or pasted. Tickets show their code in groups of
 * four, so spaces and dashes of any kind are ignored, and so is case. A roster holds the SHA-256 of the result.
 */
export function ticketCode(text: string): string {
  return text.replace(BETWEEN, '').toUpperCase();
}
