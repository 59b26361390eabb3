import { type Fill, repeated } from './json.ts';

/** A form, as browsers send it, that is hard to read, in any size. */
export interface BadForm {
  name: string;
  fill: Fill;
}

const form = (name: string, unit: string): BadForm => ({ name, fill: (bytes) => repeated(unit, bytes) });

/** Fields that all differ, as many as fit. */
export const distinctFields =
  (field: (i: number) => string): Fill =>
  (bytes) => {
    const fields: string[] = [];
    for (let i = 0, room = bytes; ; i += 1) {
      const next = field(i);
      room -= next.length + 1;
      if (room < 0) return fields.join('&');
      fields.push(next);
    }
  };

/** As many fields as a form may have, which share the size. */
export const FORM_FIELDS = 2000;
const fullFields: Fill = (bytes) => {
  const value = 'v'.repeat(Math.max(0, Math.floor(bytes / FORM_FIELDS) - 14));
  return Array.from({ length: FORM_FIELDS }, (_, i) => `p19-q-${i}=${value}`).join('&');
};

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Names without a value, signs that are decoded, and many fields: `URLSearchParams` of Node 24 is quadratic for the first two, and a
 * page that looks each field up among all others would be for the last.
 */
export const BAD_FORM_BODIES: readonly BadForm[] = [
  form('names without a value', 'a&'),
  form('plus signs', '+&'),
  form('empty fields', '&'),
  form('equals signs', '='),
  form('fields without a name', '=&'),
  form('values without a name', '=a&'),
  form('one field again and again', 'a=b&'),
  form('percent signs', '%'),
  form('escapes', '%41'),
  form('broken escapes', '%4&%=%&'),
  form('escapes of half a character', '%F0%9F&'),
  form('separators of others', ';a=b'),
  form('prototypes', '__proto__=1&constructor=2&'),
  form('brackets', 'a[a][]=1&'),
  form('line breaks', '%0D%0A'),
  form('days of one person', 'p0-type=adult&p0-days=d1&'),
  { name: 'fields that differ', fill: distinctFields((i) => `k${i}=`) },
  { name: 'fields that differ, without a value', fill: distinctFields((i) => `k${i}`) },
  {
    name: 'answers to questions that do not exist',
    fill: (bytes) => `p19-type=adult&${distinctFields((i) => `p19-q-${i}=`)(bytes - 15)}`,
  },
  { name: 'as many fields as a form may have', fill: (bytes) => `p19-type=adult&${fullFields(bytes - 15)}` },
  { name: 'one long name', fill: (bytes) => `${repeated('n', bytes - 2)}=1` },
  { name: 'one long value', fill: (bytes) => `c-first=${repeated('%EF%B7%BA', bytes - 8)}` },
];
