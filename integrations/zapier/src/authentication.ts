import type { Authentication, Bundle, ZObject } from 'zapier-platform-core';
import { get } from './api.ts';

interface Profile {
  organization: { name: string };
  key: { mode: string };
}

export const authentication: Authentication = {
  type: 'custom',
  fields: [
    {
      key: 'address',
      label: 'Address of Turnout',
      type: 'string',
      required: true,
      placeholder: 'https://turnout.example.org',
      helpText: 'The address that you open Turnout at.',
      isNoSecret: true,
    },
    {
      key: 'key',
      label: 'API key',
      type: 'password',
      required: true,
      helpText:
        'An organizer makes it in Turnout, under **Developers**, with the scopes `read` and `write`, and `scanner` for check-ins. Triggers and searches need the plan Growth, the other actions the plan Scale.',
    },
  ],
  test: (z: ZObject) => get<Profile>(z, '/me'),
  // What `test` has answered is in `inputData` when the label is asked for.
  connectionLabel: async (_z: ZObject, bundle: Bundle) => {
    const { organization, key } = bundle.inputData as unknown as Profile;
    return `${organization.name} (${key.mode})`;
  },
};
