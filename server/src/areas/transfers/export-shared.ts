import { type Id, toUlid, ulidOrNull } from '../../common/ids.ts';
import type { BookedLine } from '../registrations/index.ts';
import { plain } from './export-sheet.ts';
import { type ExportWorld, SEPARATOR } from './export-world.ts';

export interface BookedUnit {
  product_id: Id;
  option_id: Id | null;
}
const optionOf = ({ product_id, option_id }: BookedUnit, world: ExportWorld) =>
  world.product(product_id)?.options.find(({ id }) => id === option_id);

/** "T-shirt (M) x 2" */
const lineText = (line: BookedLine, world: ExportWorld): string => {
  const option = optionOf(line, world);
  const name = world.product(line.product_id)?.name ?? '';
  return `${name}${option === undefined ? '' : ` (${option.name})`}${line.quantity > 1 ? ` x ${line.quantity}` : ''}`;
};

/** Columns that several kinds of export have in common. */
export const shared = {
  first_name: plain<{ first_name: string | null }>('First name', (row) => row.first_name),
  last_name: plain<{ last_name: string | null }>('Last name', (row) => row.last_name),
  email: plain<{ email: string | null }>('Email', (row) => row.email, 30),
  phone: plain<{ phone: string | null }>('Phone', (row) => row.phone),
  attendee_type: plain<{ attendee_type_id: Id }>('Type', (row, world) => world.typeCode(row.attendee_type_id)),
  group: plain<{ group_id: Id | null }>('Group', (row, world) => world.groupCode(row.group_id)),
  status: plain<{ status: string }>('Status', (row) => row.status),
  currency: plain<{ currency: string }>('Currency', (row) => row.currency, 10),
  discount_code: plain<{ discount_code: string | null }>('Discount code', (row) => row.discount_code),
  /** What was booked, in one cell that people read. */
  products: plain<{ products: BookedLine[] | null }>(
    'Products',
    (row, world) => row.products?.map((line) => lineText(line, world)).join(SEPARATOR) ?? null,
    32,
  ),
  product: plain<BookedUnit>('Product', (row, world) => world.product(row.product_id)?.name ?? null, 24),
  option: plain<BookedUnit>('Option', (row, world) => optionOf(row, world)?.name ?? null),
  product_code: plain<BookedUnit>('Product code', (row, world) => world.product(row.product_id)?.code ?? null),
  option_code: plain<BookedUnit>('Option code', (row, world) => optionOf(row, world)?.code ?? null),
  booked_for: plain<{ attendee_id: Id | null }>(
    'Booked for',
    (row) => (row.attendee_id === null ? 'registration' : 'attendee'),
    12,
  ),
  attendee_id: plain<{ attendee_id: Id | null }>('Attendee ID', (row) => ulidOrNull(row.attendee_id), 30),
  test: plain<{ test: boolean }>('Test', (row) => row.test, 8),
  registration: plain<{ registration_code: string }>('Registration', (row) => row.registration_code),
  registration_id: plain<{ registration_id: Id }>('Registration ID', (row) => toUlid(row.registration_id), 30),
  contact_id: plain<{ contact_id: Id | null }>('Contact ID', (row) => ulidOrNull(row.contact_id), 30),
};
