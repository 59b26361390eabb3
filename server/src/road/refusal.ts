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

/** A refusal is an answer, not a fault: thrown where it is known, turned into the envelope in one place. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly options: RefusalOptions;
  constructor(code: RefusalCode, options: RefusalOptions = {}) {
    super(options.message ?? REFUSALS[code].message);
    this.code = code;
    this.status = REFUSALS[code].status;
    this.options = options;
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

export const refuse = (code: RefusalCode, options: RefusalOptions = {}): never => {
  throw new Refusal(code, options);
};

/** One or more faults of the body or query, named together. */
export const invalid = (...details: Fault[]): never => refuse('validation_failed', { details });

export function requireValid(faults: readonly Fault[]): void {
  if (faults.length > 0) invalid(...faults);
}
