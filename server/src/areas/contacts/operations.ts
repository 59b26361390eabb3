import { Body, Contact, ContactChange, ContactChanged, Page, PeopleQuery } from '@turnout/contract';
import Type from 'typebox';
import { operation, type Work } from '../../road/operation.ts';
import { listContacts } from './contacts.ts';
import { aContact, type ContactRow, contactShape } from './queries.ts';

const tag = 'Contacts';

/**
 * What changing and erasing a contact does beyond the address book: both reach into registrations. The area `registrations` imports
 * this one, so this one must not import it; `areas/index.ts` hands these two functions in.
 */
export interface ContactEffects {
  change(work: Work, contact: ContactRow, body: ContactChange): Promise<ContactChanged>;
  erase(work: Work, contact: ContactRow): Promise<Contact>;
}

/** The operations of the organization's address book. */
export const contactOperations = ({ change, erase }: ContactEffects) => [
  operation({
    id: 'listContacts',
    method: 'GET',
    path: '/contacts',
    scope: 'read',
    entitlement: 'api_read',
    member: 'people.read',
    at: {},
    query: Body({
      ...PeopleQuery,
      search: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description:
            'Words of the name, or the beginning of the e-mail address. Each word matches the beginning of a word of the name, in any order; case and accents are ignored, and letters such as ø or ł are taken for o or l. Without `order` the list is ordered by what matched.',
        }),
      ),
    }),
    reply: Page(Contact),
    refusals: [],
    tag,
    summary: 'List contacts',
    description: 'Ordered by last change, oldest first, unless `search` or `order` says otherwise.',
    handle: (call) => listContacts(call, call.query),
  }),
  operation({
    id: 'getContact',
    method: 'GET',
    path: '/contacts/{contact}',
    scope: 'read',
    entitlement: 'api_read',
    member: 'people.read',
    at: { contact: aContact },
    reply: Contact,
    refusals: ['not_found'],
    tag,
    summary: 'Get a contact',
    handle: async ({ at }) => contactShape(at.contact),
  }),
  operation({
    id: 'changeContact',
    method: 'PATCH',
    path: '/contacts/{contact}',
    scope: 'write',
    entitlement: 'api_write',
    member: 'people.write',
    audit: 'contact.changed',
    at: { contact: aContact },
    body: ContactChange,
    reply: ContactChanged,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object', 'duplicate_email'],
    tag,
    summary: 'Change a contact',
    description:
      'Changes the address book; registrations keep the details they were made with. With `apply_to_registrations`, open registrations get the new values where they had the old ones: at most 100 registrations, all or none.',
    handle: (call) => change(call, call.at.contact, call.body),
  }),
  operation({
    id: 'eraseContact',
    method: 'POST',
    path: '/contacts/{contact}/erase',
    scope: 'admin',
    entitlement: 'api_write',
    member: 'people.erase',
    audit: 'contact.erased',
    at: { contact: aContact },
    reply: Contact,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    tag,
    summary: 'Erase a person',
    description:
      'Removes this person’s data everywhere: in the contact, in every registration, in mails, stored answers, webhook envelopes and the responses to them, audit values and files of exports. Others who share the e-mail address keep theirs. Counts, tickets and payments stay. It cannot be undone.',
    handle: (call) => erase(call, call.at.contact),
  }),
];
