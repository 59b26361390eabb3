import { type Bundle, defineTrigger } from 'zapier-platform-core';
import { pageOf, path, type Row } from '../api.ts';

/** Where a drop-down finds its entries. */
interface Entries {
  url: (event: unknown) => string;
  params?: Record<string, unknown>;
  /** The entries that a row of the list is. */
  entriesOf?: (row: Row) => Row[];
  sample?: Row;
}
const SAMPLE = { id: '01JBJ4V7Q2N8H5T3B6C9D1F4KE', code: 'fair', name: 'Summer fair' };
// A day need not have a name.
const named = (row: Row): Row[] => [{ ...row, name: row.name ?? row.date ?? row.code }];

/** Hidden triggers: what the drop-downs of fields list. */
const dropDown = (key: string, noun: string, { url, params = {}, entriesOf = named, sample = SAMPLE }: Entries) =>
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
        return (await pageOf(z, bundle as Bundle, address, params)).flatMap(entriesOf);
      },
      sample,
    },
  });

export const eventList = dropDown('event_list', 'Event', { url: () => '/events', params: { order: 'newest' } });
export const attendeeTypeList = dropDown('attendee_type_list', 'Attendee Type', {
  url: (e) => path`/events/${e}/attendee-types`,
});
export const dayList = dropDown('day_list', 'Day', { url: (e) => path`/events/${e}/days` });
export const checkInPointList = dropDown('check_in_point_list', 'Check-In Point', {
  url: (e) => path`/events/${e}/check-in-points`,
});

interface Product extends Row {
  code: string;
  name: string;
  per: 'attendee' | 'registration';
  visible: boolean;
  options: { code: string; name: string }[];
}
/** Products that can be taken, each option on its own: `choice` is `shirt`, or `shirt/m`. */
const products = (per: Product['per']): Entries => ({
  url: (e) => path`/events/${e}/products`,
  entriesOf: (row) => {
    const { id, code, name, options, ...product } = row as Product;
    if (!product.visible || product.per !== per) return [];
    if (options.length === 0) return [{ id, choice: code, name }];
    return options.map((one) => ({
      id: `${id}/${one.code}`,
      choice: `${code}/${one.code}`,
      name: `${name} (${one.name})`,
    }));
  },
  sample: { id: '01JBJ4V7Q2N8H5T3B6C9D1F4KE', choice: 'workshop', name: 'Bread workshop' },
});
export const productList = dropDown('product_list', 'Product', products('attendee'));
export const registrationProductList = dropDown('registration_product_list', 'Product', products('registration'));
