import { type FaultRule, REFUSALS, type RefusalCode } from '@turnout/contract';

export interface Fault {
  path: string;
  message: string;
  /** Which rule was broken and its number, so that the apps can say it in the person's language. */
  rule?: FaultRule;
  limit?: number;
}

export interface RefusalOptions {
  /** What the caller reads, if it can be said more exactly than in the catalogue of refusals. */
  message?: string;
  details?: Fault[];
  /** Fields beside `code` and `message` (error.key, error.validity …). */
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  /** Only for the log, never for the caller. */
  log?: string;
}

/** The most faults that a refusal names. If there are more, it says so. */
export const MAX_FAULTS = 100;
const MAX_LENGTHS = { path: 300, message: 1000, sentence: 2000 };

/** Shortens a text that repeats input of a caller, without cutting a surrogate pair in two. */
const short = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;

function sentence(code: RefusalCode, { message, details }: RefusalOptions): string {
  const said = short(message ?? REFUSALS[code].message, MAX_LENGTHS.sentence);
  return details !== undefined && details.length > MAX_FAULTS
    ? `${said} There are more faults than the ${MAX_FAULTS} that \`details\` names.`
    : said;
}

/** An expected answer that says no. It is thrown wherever the reason is found, and errors.ts makes the error envelope from it. */
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
  faults.slice(0, MAX_FAULTS).map((fault) => ({
    ...fault,
    path: short(fault.path, MAX_LENGTHS.path),
    message: short(fault.message, MAX_LENGTHS.message),
  }));

export const refuse = (code: RefusalCode, options: RefusalOptions = {}): never => {
  throw new Refusal(code, options);
};

/** Refuses a call with one or more faults of its body or query. */
export const invalid = (...details: Fault[]): never => refuse('validation_failed', { details });

export function requireValid(faults: readonly Fault[]): void {
  if (faults.length > 0) invalid(...faults.slice(0, MAX_FAULTS + 1));
}

/** A refusal with every fault of a request. Its message repeats the first three. */
export function invalidRequest(faults: readonly Fault[]): Refusal {
  const first = faults.slice(0, 3).map((fault) => `${fault.path || 'body'} ${fault.message}`);
  return new Refusal('validation_failed', {
    message: `The request is not valid: ${first.join('; ')}.`,
    details: [...faults],
  });
}
