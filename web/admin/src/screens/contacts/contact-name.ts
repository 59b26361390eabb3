import type { Contact } from '@turnout/client';

/** What a contact is called: by name, else by address. */
export const contactName = ({ first_name, last_name, email, phone }: Contact): string =>
  [first_name, last_name].filter(Boolean).join(' ') || email || phone || '';
