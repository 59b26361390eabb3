import { type Bundle, defineTrigger } from 'zapier-platform-core';
import { pageOf, path } from '../api.ts';

/** Hidden triggers: what the drop-downs of fields list. */
const dropDown = (key: string, noun: string, url: (event: unknown) => string, params: Record<string, unknown> = {}) =>
  defineTrigger({
    key,
    noun,
    display: { label: `List of ${noun}s`, description: `Lists what a drop-down offers as ${noun}.`, hidden: true },
    operation: {
      type: 'polling',
      canPaginate: true,
      inputFields: [],
      perform: async (z, bundle) => {
        const { event } = bundle.inputData as { event?: unknown };
        const address = url(event);
        if (address.includes('//')) throw new z.errors.HaltedError('Choose the event first.');
        const rows = await pageOf(z, bundle as Bundle, address, params);
        // A day need not have a name.
        return rows.map((row) => ({ ...row, name: row.name ?? row.date ?? row.code }));
      },
      sample: { id: '01JBJ4V7Q2N8H5T3B6C9D1F4KE', code: 'fair', name: 'Summer fair' },
    },
  });

export const eventList = dropDown('event_list', 'Event', () => '/events', { order: 'newest' });
export const attendeeTypeList = dropDown(
  'attendee_type_list',
  'Attendee Type',
  (e) => path`/events/${e}/attendee-types`,
);
export const dayList = dropDown('day_list', 'Day', (e) => path`/events/${e}/days`);
export const checkInPointList = dropDown(
  'check_in_point_list',
  'Check-In Point',
  (e) => path`/events/${e}/check-in-points`,
);
