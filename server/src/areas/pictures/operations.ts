import { Event, OrganizationSettings, PICTURE_LIMIT } from '@turnout/contract';
import { operation, type TakesFile } from '../../road/operation.ts';
import { requireLiveSettings, setLogo } from '../access/index.ts';
import { openEvent, setImage } from '../events/index.ts';
import { keep, prepare, remove } from './keep.ts';

const file: TakesFile = {
  field: null,
  mediaTypes: ['image/jpeg', 'image/png', 'image/webp'],
  limit: PICTURE_LIMIT,
};
const aboutFile =
  'Send a JPEG, PNG or WebP picture of at most 10 MB and 40 million pixels. New pictures are made of its pixels, turned upright and without anything else that the file contains, such as the place where it was taken. It takes the place of the one before.';

const image = {
  path: '/events/{event}/image',
  scope: 'write',
  entitlement: 'api_write',
  member: 'events.write',
  audit: 'event.changed',
  at: { event: openEvent },
  reply: Event,
  tag: 'Events',
} as const;
const logo = {
  path: '/organization/logo',
  scope: 'admin',
  entitlement: 'api_write',
  member: 'tenant.settings',
  organizationWide: true,
  audit: 'organization.changed',
  at: {},
  reply: OrganizationSettings,
  tag: 'Profile',
} as const;

export const operations = [
  operation({
    ...image,
    id: 'setEventImage',
    method: 'PUT',
    file,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    summary: 'Set an event’s picture',
    description: `${aboutFile} The registration page shows it, and so do sites that link to the page.`,
    before: async ({ file: sent, org }) => prepare(sent!, 'image', org),
    handle: (call) => setImage(call, call.at.event, () => keep(call, call.at.event.id, call.beforeResult)),
  }),
  operation({
    ...image,
    id: 'removeEventImage',
    method: 'DELETE',
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    summary: 'Remove an event’s picture',
    handle: (call) => setImage(call, call.at.event, () => remove(call, call.at.event.id)),
  }),
  operation({
    ...logo,
    id: 'setLogo',
    method: 'PUT',
    file,
    refusals: ['test_key_live_object'],
    summary: 'Set the organization’s logo',
    description: `${aboutFile} It is shown at most 480 × 160 pixels large and keeps its transparency.`,
    before: async (call) => {
      requireLiveSettings(call);
      return prepare(call.file!, 'logo', call.org);
    },
    handle: (call) => setLogo(call, () => keep(call, null, call.beforeResult)),
  }),
  operation({
    ...logo,
    id: 'removeLogo',
    method: 'DELETE',
    refusals: ['test_key_live_object'],
    summary: 'Remove the organization’s logo',
    handle: (call) => setLogo(call, () => remove(call, null)),
  }),
];
