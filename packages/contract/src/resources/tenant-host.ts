import Type from 'typebox';
import { Body, Nullable, OneOf, Stamps, Text, Timestamp, Ulid } from '../formats.ts';

export const HOST_STATES = ['waiting', 'proved', 'contested'] as const;
export type HostState = (typeof HOST_STATES)[number];
export const HOST_PROOFS = ['dns', 'operator'] as const;
export type HostProof = (typeof HOST_PROOFS)[number];
export const HOST_CHECKS = ['found', 'other_value', 'none', 'no_answer'] as const;
export type HostCheck = (typeof HOST_CHECKS)[number];

export const TenantHost = Type.Object({
  id: Ulid('The tenant host.'),
  host: Type.String({
    description: 'The name of the host, in lower case and as DNS spells it.',
    examples: ['tickets.example.org'],
  }),
  state: OneOf(HOST_STATES, {
    description:
      '`waiting`: the record was not found yet. `proved`: the registration pages are there. `contested`: the record was found, but the host is proved for another organization, and the operator of the installation decides.',
  }),
  primary: Type.Boolean({ description: 'Whether this is the host in the addresses of the registration pages.' }),
  record: Type.Object(
    {
      type: Type.String({ examples: ['TXT'] }),
      name: Type.String({ examples: ['_turnout.tickets.example.org'] }),
      value: Type.String({ examples: ['turnout-4k7m2q9r3x6z8b1c5d0f2g4h'] }),
    },
    { description: 'The DNS record that proves the host. Leave it in place: it is checked every day.' },
  ),
  proved_at: Nullable(Timestamp('When the host was proved.')),
  proved_by: Nullable(OneOf(HOST_PROOFS, { description: 'By the record, or because the operator said so.' })),
  checked_at: Nullable(Timestamp('When the record was last looked for.')),
  check: Nullable(
    OneOf(HOST_CHECKS, {
      description:
        'What was found then. `other_value`: records with other values only. `no_answer`: DNS did not answer, which changes nothing.',
    }),
  ),
  missing_since: Nullable(Timestamp('Since when the record of a proved host is missing.')),
  drops_at: Nullable(Timestamp('When the host is no longer proved, unless the record is found again before.')),
  ...Stamps,
});
export type TenantHost = Type.Static<typeof TenantHost>;
export const TenantHostList = Type.Object({ data: Type.Array(TenantHost) });

export const TenantHostAdd = Body({
  host: Text(253, {
    description: 'The name alone, without `https://` and without a path.',
    example: 'tickets.example.org',
  }),
});
export type TenantHostAdd = Type.Static<typeof TenantHostAdd>;
