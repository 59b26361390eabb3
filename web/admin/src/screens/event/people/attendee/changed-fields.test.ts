import type { AuditEntry } from '@turnout/client';
import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

type Changes = NonNullable<AuditEntry['changes']>;
const entry = (object: string, fields: Changes['fields'], objects: { id: string; fields: Changes['fields'] }[] = []) =>
  ({ object: { kind: 'attendee', id: object }, changes: { fields, objects, details: {} } }) as unknown as AuditEntry;

const TYPE = { before: 'adult', after: 'crew' };
const TOTAL = { before: 4500, after: 0 };

test('a change of the person is told without what follows for the registration', () => {
  const of = entry('r1', { total_minor: TOTAL }, [{ id: 'ada', fields: { attendee_type: TYPE } }]);
  expect(changedFields(of, 'ada')).toEqual([['attendee_type', TYPE]]);
});

test('an entry about this person alone holds the fields itself', () => {
  expect(changedFields(entry('ada', { attendee_type: TYPE }), 'ada')).toEqual([['attendee_type', TYPE]]);
});

test('what changed only the registration is told as that', () => {
  expect(changedFields(entry('r1', { total_minor: TOTAL }), 'ada')).toEqual([['total_minor', TOTAL]]);
});

test('personal data is told as changed, and what is the same as before is not told', () => {
  const fields = { email: { changed: true }, phone: { before: null }, group: { before: 'north', after: 'north' } };
  expect(changedFields(entry('ada', fields as Changes['fields']), 'ada')).toEqual([['email', { changed: true }]]);
});

test('an entry without changes has none', () => {
  expect(changedFields({ ...entry('ada', {}), changes: null }, 'ada')).toEqual([]);
});
