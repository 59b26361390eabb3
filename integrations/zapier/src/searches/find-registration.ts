import { type Bundle, defineSearch } from 'zapier-platform-core';
import { filled, firstPage, path, type Row } from '../api.ts';
import { event } from '../fields.ts';
import { readUnless } from '../read.ts';
import { registration } from '../samples.ts';

export const findRegistration = defineSearch({
  key: 'find_registration',
  noun: 'Registration',
  display: {
    label: 'Find Registration',
    description: 'Finds a registration by its id or reference, by an email address, or by a name.',
  },
  operation: {
    inputFields: [
      { ...event, altersDynamicFields: false },
      {
        key: 'reference',
        label: 'ID or Reference',
        type: 'string',
        required: false,
        helpText: 'The id, or the short reference that people get. If it is given, the other fields are not looked at.',
      },
      {
        key: 'email',
        label: 'Email',
        type: 'string',
        required: false,
        helpText: 'The address of whoever registered, or of one of the attendees.',
      },
      {
        key: 'name',
        label: 'Name',
        type: 'string',
        required: false,
        helpText: 'Words of a name, in any order. The beginnings of the words are enough.',
      },
    ],
    perform: async (z, bundle) => {
      const { event: of, reference, email, name } = (bundle as Bundle).inputData;
      if (reference) {
        const found = await readUnless<Row>(z, path`/events/${of}/registrations/${reference}`, [404]);
        return found === null ? [] : [found];
      }
      if (!email && !name)
        throw new z.errors.Error('Give an id or reference, an email address, or a name.', 'nothing_to_find');
      return firstPage(z, path`/events/${of}/registrations`, {
        ...filled({ email, search: name }),
        order: 'newest',
        limit: 10,
      });
    },
    sample: registration,
  },
});
