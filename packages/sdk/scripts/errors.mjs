// The text of packages/sdk/src/generated/errors.ts: a class for each refusal code of the document.
import { comment, errorClass, HEAD } from './text.mjs';

export function errorsText(operations) {
  const codes = new Map();
  for (const { code, status, message } of operations.flatMap((one) => one.codes)) codes.set(code, { status, message });
  const sorted = [...codes].sort(([a], [b]) => (a < b ? -1 : 1));
  const classes = sorted.map(
    ([
      code,
      { status, message },
    ]) => `${comment([`${status} \`${code}\`: ${message}`], '')}export class ${errorClass(code)} extends ApiError {
  override readonly name = '${errorClass(code)}';
  declare readonly code: '${code}';
}\n`,
  );
  return [
    HEAD,
    "import { ApiError, type ApiErrorParts } from '../errors.ts';\n",
    ...classes,
    '/** The class of each refusal code that this version knows. */',
    'export const ERRORS: { readonly [code: string]: new (parts: ApiErrorParts) => ApiError } = {',
    ...sorted.map(([code]) => `  ${code}: ${errorClass(code)},`),
    '};\n',
  ].join('\n');
}
