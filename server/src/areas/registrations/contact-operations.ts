import { Body, Contact, ContactChange, ContactChanged, Page, PeopleQuery } from '@turnout/contract';
import Type from 'typebox';
import { operation } from '../../road/operation.ts';
import { aContact, contactShape, listContacts } from '../contacts/index.ts';
import { changeContactAnd } from './apply-contact.ts';
import { eraseContact } from './erase.ts';

const tag = 'Contacts';

/** The organization's address book. Erasing reaches into every registration, hence it lives here. */
export const contactOperations = [
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
            'Words of the name, each by its beginning and in any order, without case and accents, or the beginning of the e-mail address. Then ordered by what matched.',
        }),
      ),
    }),
    reply: Page(Contact),
    refusals: [],
    tag,
    summary: 'List contacts',
    description: 'By last change, oldest first.',
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
      'The address book; registrations keep what was said then. With `apply_to_registrations`, those that are open get the changed values where they had the old ones: at most 100 of them, all or none.',
    handle: (call) => changeContactAnd(call, call.at.contact, call.body),
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
      'Removes the personal data of this contact everywhere: the contact, the person in every registration, mails, stored answers, webhook envelopes and what was answered to them, audit values, files of exports. Others who share the address keep theirs. Counts, tickets and payments stay. It cannot be undone.',
    handle: (call) => eraseContact(call, call.at.contact),
  }),
];
