import { type Id, toUlid, ulidOrNull } from '../../common/ids.ts';
import { plain } from './export-sheet.ts';

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
  test: plain<{ test: boolean }>('Test', (row) => row.test, 8),
  registration: plain<{ registration_code: string }>('Registration', (row) => row.registration_code),
  registration_id: plain<{ registration_id: Id }>('Registration ID', (row) => toUlid(row.registration_id), 30),
  contact_id: plain<{ contact_id: Id | null }>('Contact ID', (row) => ulidOrNull(row.contact_id), 30),
};
