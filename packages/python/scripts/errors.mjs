// One class for each code with which API v1 refuses, made from the examples of refusals in the document.
import { camel, docstring, literal } from './text.mjs';

export const errorName = (code) => (code.endsWith('_error') ? camel(code) : `${camel(code)}Error`);

export function errorsText(document, head) {
  const examples = Object.values(document.components.examples).map(({ value }) => value?.error);
  // A code may have several examples.
  const byCode = new Map(examples.flatMap((error) => (error?.code === undefined ? [] : [[error.code, error]])));
  const codes = [...byCode.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
  const fields = document.components.schemas.ErrorEnvelope.properties.error.properties;
  const classes = codes.map(({ code, message }) => {
    const lines = [`class ${errorName(code)}(ApiError):`, ...docstring([message], '    ')];
    for (const [field, { description = '' }] of Object.entries(fields)) {
      // `entitlement_required: the entitlement that is missing.` describes a field that only this refusal has.
      if (!description.startsWith(`${code}: `)) continue;
      const about = description.slice(code.length + 2);
      const text = about.charAt(0).toUpperCase() + about.slice(1);
      lines.push('', '    @property', `    def ${field}(self) -> str | None:`, ...docstring([text], '        '));
      lines.push(`        return self._text(${literal(field)})`);
    }
    return lines.join('\n');
  });
  return [
    head,
    ...docstring(['The refusals of API v1, each a class. A code that is not here is an `ApiError`.'], ''),
    '',
    'from __future__ import annotations',
    '',
    'from .._errors import ApiError',
    '',
    '__all__ = [',
    ...codes.map(({ code }) => `    ${literal(errorName(code))},`),
    '    "ERRORS",',
    ']',
    '',
    '',
    classes.join('\n\n\n'),
    '',
    '',
    'ERRORS: dict[str, type[ApiError]] = {',
    ...codes.map(({ code }) => `    ${literal(code)}: ${errorName(code)},`),
    '}',
    '',
  ].join('\n');
}
