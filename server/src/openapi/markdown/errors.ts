import { ErrorBody, REFUSALS } from '@turnout/contract';
import { GENERATED, row, table } from './table.ts';

/** Fields beside code and message: the schema's description names the code that carries them (`code: what it says`). */
function carries(code: string): string {
  const { properties } = ErrorBody.properties.error as unknown as {
    properties: Record<string, { description?: string }>;
  };
  return Object.entries(properties)
    .filter(([, schema]) => schema.description?.startsWith(`${code}: `))
    .map(([name, schema]) => `\`error.${name}\`: ${schema.description!.slice(code.length + 2)}`)
    .join(' ');
}

/** docs/reference/errors.md: the whole catalogue, once. */
export function errorsPage(): string {
  const all = Object.entries(REFUSALS)
    .map(([code, { status, message }]) => ({ code, status, message }))
    .sort((a, b) => a.status - b.status); // stable: the catalogue's order within a status
  const rows = all.map(({ code, status, message }) => row([String(status), `\`${code}\``, message, carries(code)]));
  return `# Refusals

${GENERATED}

Every refusal is \`{ "error": { "code", "message", "details", "request_id" } }\`. Decide from \`code\`; \`message\` is for people
and may be worded more exactly than here; \`details\` lists each fault of a request as \`{ path, message }\`. New codes may appear:
treat a code you don't know as a refusal. Which operation answers which code stands in \`openapi.json\` and at \`/docs\`.

${table(['Status', 'Code', 'Message', 'Also carries'], rows)}
`;
}
