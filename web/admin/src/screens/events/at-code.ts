import { Problem } from '@turnout/client';

/** A code that is taken is said beside the field of the code; the server only names the refusal. */
export async function atCode<T>(work: Promise<T>, message: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'code_taken') throw error;
    const { status, code, operation, requestId } = error;
    throw new Problem({
      ...{ status, code, operation, requestId, message: error.message },
      details: [{ path: 'code', message }],
    });
  }
}
