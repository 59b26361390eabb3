import { randomBytes } from 'node:crypto';
import { CODE_PATTERN } from '@turnout/contract';
import { refuse } from '../../common/refusal.ts';
import { normalized } from '../../common/unicode.ts';

const CODE = new RegExp(CODE_PATTERN);

/** "Große Gala 2026!" → "grosse-gala-2026". */
export function codeFrom(name: string, fallback: string): string {
  const plain = normalized(name.replaceAll('ß', 'ss'), 'NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
    .replace(/-$/, '');
  return CODE.test(plain) ? plain : fallback;
}

/**
 * The code of a new or changed object. If the caller gave a code that is taken, the call is refused; a code made from the name gets
 * a number instead. Call this while holding the clock of the siblings, so that nobody takes the code before it is written.
 */
export async function freeCode(
  request: { code: string | undefined; name: string; fallback: string },
  isTaken: (code: string) => Promise<boolean>,
): Promise<string> {
  if (request.code !== undefined) {
    if (await isTaken(request.code))
      refuse('code_taken', { message: `The code ${request.code} is already taken. Choose another one.` });
    return request.code;
  }
  const base = codeFrom(request.name, request.fallback);
  for (let n = 1; n <= NUMBERED; n += 1) {
    const code = n === 1 ? base : `${base}-${n}`;
    if (!(await isTaken(code))) return code;
  }
  // The thousandth object of one name must not ask the database a thousand times.
  return `${base}-${randomBytes(5).toString('hex')}`;
}
const NUMBERED = 20;
