import { type ImportCreate, ImportMapping, type ImportQuery } from '@turnout/contract';
import { type Fault, Refusal, requireValid } from '../../common/refusal.ts';
import type { Rule, Upload, Work } from '../../road/operation.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import { bodyCheck } from '../../road/request/validate.ts';
import type { EventRow } from '../events/index.ts';
import { worldOf } from '../registrations/index.ts';
import { columnsOf } from './import-headings.ts';
import type { ImportInput } from './import-job.ts';
import { type Table, tableOf } from './import-table.ts';
import { readingOf, textOf } from './import-text.ts';

/** The options of an import. They are in the body, or else in the query, where the mapping is JSON text. */
export function optionsOf({ query, body }: { query: ImportQuery; body: ImportCreate }): Omit<ImportInput, 'reading'> {
  const { preview = false, send_ticket_emails = false, date_order = 'dmy', mapping = {} } = { ...query, ...body };
  const read = mappingOf(mapping);
  requireValid(read.faults);
  return { preview, send_ticket_emails, date_order, mapping: read.mapping };
}

const checkMapping = bodyCheck(ImportMapping);

function mappingOf(given: ImportMapping | string): { mapping: ImportMapping; faults: Fault[] } {
  if (typeof given !== 'string') return { mapping: given, faults: [] };
  let mapping: unknown;
  try {
    mapping = JSON.parse(given);
  } catch {
    return { mapping: {}, faults: [{ path: 'mapping', message: 'must be JSON' }] };
  }
  const faults = checkMapping(mapping);
  return {
    mapping: mapping as ImportMapping,
    faults: faults.map(({ path, message }) => ({ path: path === '' ? 'mapping' : `mapping/${path}`, message })),
  };
}

type RefusedCall = Work & {
  at: { event: EventRow };
  query: ValidPart<ImportQuery>;
  body: ValidPart<ImportCreate>;
  file: Upload | null;
};

/** For a call that is refused anyway: what else is wrong with its options, with the beginning of its file, and with both together. */
export const importRules: readonly Rule<RefusedCall>[] = [
  { of: ['mapping'], faults: (call) => givenMapping(call).faults },
  { of: [], faults: ({ file }) => (file === null ? [] : fileFaults(file, () => {})) },
  {
    of: ['mapping'],
    faults: async (call) => {
      const { mapping, faults } = givenMapping(call);
      if (call.file === null || faults.length > 0) return [];
      const { questions } = await worldOf(call.tx, call.org, call.at.event);
      return fileFaults(call.file, ({ headings }) => columnsOf(headings, mapping, questions));
    },
  },
];

const givenMapping = ({ query, body }: RefusedCall) =>
  mappingOf((body.mapping as ImportMapping | undefined) ?? query?.mapping ?? {});

/** The faults that are found in the headings of a file. */
async function fileFaults(file: Upload, look: (table: Table) => unknown): Promise<Fault[]> {
  try {
    const reading = await readingOf(beginningOf(file));
    const table = await tableOf(textOf(beginningOf(file), reading), reading);
    try {
      look(table);
    } finally {
      await table.close();
    }
    return [];
  } catch (error) {
    if (error instanceof Refusal && error.options.details !== undefined) return [...error.options.details];
    throw error;
  }
}

/** More bytes than are ever read to find the headings (import-table.ts). */
const BEGINNING = 1024 * 1024;

/** The beginning of a file, which is all that a refused call is worth. It ends behind an ASCII character, so that it cuts none in two. */
async function* beginningOf(file: Upload): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of file.read()) {
    size += chunk.length;
    if (size < BEGINNING || size === file.size) yield chunk;
    else {
      yield chunk.subarray(0, chunk.findLastIndex((byte) => byte < 0x80) + 1);
      return;
    }
  }
}
