/** White space, dashes and invisible characters such as soft hyphens, direction marks and zero-width spaces. */
const BETWEEN = /[\p{White_Space}\p{Dash}\p{Cf}]+/gu;

/**
 * The code of a ticket as it is stored, from a code as it was scanned, typed or pasted. Tickets show their code in groups of
 * four, so spaces and dashes of any kind are ignored, and so is case. A roster holds the SHA-256 of the result.
 */
export function ticketCode(text: string): string {
  return text.replace(BETWEEN, '').toUpperCase();
}

/**
 * A code as somebody typed it from paper: codes have no I, L and O, so these are a 1 and a 0 that look like them. What is no code then,
 * such as a name, or a code that another system made, stays as it is.
 */
export function typedCode(text: string): string {
  const code = ticketCode(text).replace(/[IL]/g, '1').replaceAll('O', '0');
  return isTicketCode(code) || isRegistrationCode(code) ? code : text;
}

const REGISTRATION_CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/;
/** Whether a text, as `ticketCode` gives it, has the form of a registration's code. Tickets have longer ones. */
export const isRegistrationCode = (code: string): boolean => REGISTRATION_CODE.test(code);
const TICKET_CODE = /^[0-9A-HJKMNP-TV-Z]{28}$/;
/** Whether a text, as `ticketCode` gives it, has the form of a ticket's code. */
export const isTicketCode = (code: string): boolean => TICKET_CODE.test(code);

/** The code of a ticket as it was scanned, typed or pasted; null if the text is something else. */
export function ticketCodeIn(text: string): string | null {
  const code = ticketCode(text);
  return isTicketCode(code) ? code : null;
}
/** The code of a registration as it was typed or pasted; null if the text is something else. A name of ten letters may look like one. */
export function registrationCodeIn(text: string): string | null {
  const code = ticketCode(text);
  return isRegistrationCode(code) ? code : null;
}
