import { REFUSALS, type RefusalCode } from '@turnout/contract';

export interface Fault {
  path: string;
  message: string;
}

export interface RefusalOptions {
  /** What the caller reads, when the catalogue's sentence can be said more exactly. */
  message?: string;
  details?: Fault[];
  /** Fields beside `code` and `message` (error.key, error.validity …). */
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  /** What only the log keeps. */
  log?: string;
}

/** So many faults are named; whoever has more is told so, and mends these first. */
export const MOST_FAULTS = 100;
const LONGEST = { path: 300, message: 1000, sentence: 2000 };

/** What is told of somebody's input is never much longer than a sentence, and never cut through the middle of a letter. */
const short = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;

function sentence(code: RefusalCode, { message, details }: RefusalOptions): string {
  const said = short(message ?? REFUSALS[code].message, LONGEST.sentence);
  return details !== undefined && details.length > MOST_FAULTS
    ? `${said} There are more faults than the ${MOST_FAULTS} that \`details\` names.`
    : said;
}

/** A refusal is an answer, not a fault: thrown where it is known, turned into the envelope in one place. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly options: RefusalOptions;
  constructor(code: RefusalCode, options: RefusalOptions = {}) {
    super(sentence(code, options));
    this.code = code;
    this.status = REFUSALS[code].status;
    this.options = options.details === undefined ? options : { ...options, details: named(options.details) };
  }

  body(requestId: string): { error: Record<string, unknown> } {
    return {
      error: {
        code: this.code,
        message: this.message,
        ...(this.options.details !== undefined && { details: this.options.details }),
        ...this.options.fields,
        request_id: requestId,
      },
    };
  }
}

const named = (faults: readonly Fault[]): Fault[] =>
  faults
    .slice(0, MOST_FAULTS)
    .map(({ path, message }) => ({ path: short(path, LONGEST.path), message: short(message, LONGEST.message) }));

export const refuse = (code: RefusalCode, options: RefusalOptions = {}): never => {
  throw new Refusal(code, options);
};

/** One or more faults of the body or query, named together. */
export const invalid = (...details: Fault[]): never => refuse('validation_failed', { details });

export function requireValid(faults: readonly Fault[]): void {
  if (faults.length > 0) invalid(...faults.slice(0, MOST_FAULTS + 1));
}

/** Every fault of a request, the first three also in its sentence. */
export function invalidRequest(faults: readonly Fault[]): Refusal {
  const first = faults.slice(0, 3).map((fault) => `${fault.path || 'body'} ${fault.message}`);
  return new Refusal('validation_failed', {
    message: `The request is not valid: ${first.join('; ')}.`,
    details: [...faults],
  });
}
