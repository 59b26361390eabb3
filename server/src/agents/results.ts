import type { Json } from '../openapi/schemas.ts';
import { type Cut, fit, MAX_CHARACTERS, visibleJson } from './fit.ts';

/** The result of a tool, in the words of the protocol: JSON as text, which every program can show, and the same as an object. */
export interface ToolResult {
  content: { type: 'text'; text: string }[];
  structuredContent: Json;
  isError?: true;
  [more: string]: unknown;
}

/** Room for the sentence that says what was cut. */
const ROOM_FOR_NOTE = 1_000;
export const ROOM = MAX_CHARACTERS - ROOM_FOR_NOTE;
/** The field of a shortened answer that says so. No field of the API begins like this. */
const NOTE = '_shortened';

const NAMED = 5;

function noteOf(cuts: readonly Cut[], advice: string): string {
  const said = cuts.slice(0, NAMED).map(({ path, kept, of }) => `\`${path.slice(0, 60)}\` (${kept} of ${of})`);
  const more = cuts.length > NAMED ? ` and ${cuts.length - NAMED} more` : '';
  return `This answer was too long and was cut: ${said.join(', ')}${more}. ${advice}`;
}

const ASK_FOR_LESS = 'Ask for less: with filters, or for one object at a time.';

/** `note`: what was left out already, by asking for fewer rows. */
export function resultOf(answer: unknown, note?: string): ToolResult {
  const { value, cuts } = fit(answer, ROOM);
  const notes = [...(note === undefined ? [] : [note]), ...(cuts.length === 0 ? [] : [noteOf(cuts, ASK_FOR_LESS)])];
  const shown = { ...(value as Json), ...(notes.length > 0 && { [NOTE]: notes.join(' ') }) };
  const text = visibleJson(shown);
  if (text.length <= MAX_CHARACTERS) return { content: [{ type: 'text', text }], structuredContent: shown };
  // An object with so many fields that even their names do not fit.
  const nothing = { [NOTE]: `This answer is too long to be shown. ${ASK_FOR_LESS}` };
  return { content: [{ type: 'text', text: visibleJson(nothing) }], structuredContent: nothing };
}

/** A refusal, as the API says it: code, message, details and the id of the request. The message also says what to do. */
export const refusedResult = (error: unknown): ToolResult => ({ ...resultOf(error), isError: true });

export const firstRows = (rows: number): string =>
  `Only the first ${rows} ${rows === 1 ? 'row fits' : 'rows fit'} into one answer. For those that follow, ask again with \`cursor\` set to \`page.next_cursor\`.`;
