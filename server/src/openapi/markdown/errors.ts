import { ErrorBody, REFUSALS } from '@turnout/contract';
import { GENERATED, row, table } from './table.ts';

/** Additional fields of a code. The description of such a field in the schema begins with the code (`code: what it says`). */
function carries(code: string): string {
  const { properties } = ErrorBody.properties.error as unknown as {
    properties: Record<string, { description?: string }>;
  };
  return Object.entries(properties)
    .filter(([, schema]) => schema.description?.startsWith(`${code}: `))
    .map(([name, schema]) => `\`error.${name}\`: ${schema.description!.slice(code.length + 2)}`)
    .join(' ');
}

/** docs/reference/errors.md: all refusal codes. */
export function errorsPage(): string {
  const all = Object.entries(REFUSALS)
    .map(([code, { status, message }]) => ({ code, status, message }))
    .sort((a, b) => a.status - b.status); // stable: the catalogue's order within a status
  const rows = all.map(({ code, status, message }) => row([String(status), `\`${code}\``, message, carries(code)]));
  return `# Refusals

${GENERATED}

Every refusal is \`{ "error": { "code", "message", "details", "request_id" } }\`. Let your program decide by \`code\`. The \`message\` is for
people and may be more exact than the one here; \`details\` lists each fault of a request as \`{ path, message }\`. New codes may be
added: treat a code that you don't know as a refusal. \`openapi.json\` and \`/docs\` show which operation answers which code.

${table(['Status', 'Code', 'Message', 'Also carries'], rows)}
`;
}
