import { distinctFields, FORM_FIELDS, FORM_TYPE } from '../forms.ts';
import { type Fill, repeated } from '../json.ts';
import { type Attack, openEvent, type Volley } from './attack.ts';

const MB = 1_048_576;
/** Somebody without a key, whom no limit for one address stops. */
const stranger = (): Record<string, string> => ({
  'content-type': FORM_TYPE,
  'sec-fetch-site': 'same-origin',
  'x-forwarded-for': `198.51.100.${1 + Math.floor(Math.random() * 250)}`,
});

const toFind = (name: string, unit: string): Attack => ({
  name: `form: ${name}`,
  prepare: async (_ground, share) => {
    const body = repeated(unit, MB * share);
    return {
      requests: [{ method: 'POST', path: '/o/anything/my', headers: stranger(), body }],
      together: 1,
      size: body.length,
      refusedWith: 413,
    };
  },
});

/** What a form needs so that the server goes on to show a summary of it. */
const FILLED = 'c-first=Ada&c-last=Byron&c-email=ada%40example.org&p19-type=adult&p19-days=d0&do=review';

const toRegister = (name: string, bytes: number, fill: Fill, more: Partial<Volley> = {}): Attack => ({
  name: `form: ${name}`,
  prepare: async (ground, share) => {
    const event = await openEvent(ground);
    const body = `${FILLED}&${fill(Math.floor(bytes * share) - FILLED.length - 1)}`;
    return {
      requests: [{ method: 'POST', path: `/o/${ground.org}/${event}/register`, headers: stranger(), body }],
      together: 1,
      size: body.length,
      ...more,
    };
  },
});

/** Forms that anybody can send, without a key and without an account. */
export const FORM_ATTACKS: readonly Attack[] = [
  toFind('1 MB of names without a value', 'a&'),
  toFind('1 MB of plus signs', '+&'),
  toRegister(
    '1 MB of answers nobody asked for',
    MB,
    distinctFields((i) => `p19-q-${i}=`),
    { refusedWith: 413 },
  ),
  toRegister('the largest that is read', 250_000, (bytes) => {
    const value = 'v'.repeat(Math.max(0, Math.floor(bytes / FORM_FIELDS) - 16));
    return Array.from({ length: FORM_FIELDS - 10 }, (_, i) => `p19-q-${i}=${value}`).join('&');
  }),
];
