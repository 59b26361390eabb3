import { randomBytes } from 'node:crypto';

/** Upper case and digits without the look-alikes I, L, O, U: what a QR code packs well and a person reads out. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const random = (length: number): string => {
  let text = '';
  for (const byte of randomBytes(length)) text += LETTERS[byte & 31];
  return text;
};

/** 28 letters of 32: 140 random bits. Never 26 letters, so a ticket's code is never taken for an id. */
export const newTicketCode = (): string => random(28);
/** One that went through `ticketCode`. */
export const TICKET_CODE = /^[0-9A-HJKMNP-TV-Z]{28}$/;

/** 10 letters: 50 random bits, enough that a million registrations of one event hardly ever meet. */
export const newRegistrationCode = (): string => random(10);
const REGISTRATION_CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/i;
export const isRegistrationCode = (text: string): boolean => REGISTRATION_CODE.test(text);
