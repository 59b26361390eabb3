import { randomBytes } from 'node:crypto';

/** Digits and upper-case letters without I, L, O and U. QR codes pack them well, and they are hard to misread when read aloud. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const random = (length: number): string => {
  let text = '';
  for (const byte of randomBytes(length)) text += LETTERS[byte & 31];
  return text;
};

/** 28 characters are 140 random bits. A ULID has 26, so a ticket's code is never taken for an id. */
export const newTicketCode = (): string => random(28);

/** 10 characters are 50 random bits: even among a million registrations of one event, two hardly ever get the same code. */
export const newRegistrationCode = (): string => random(10);
