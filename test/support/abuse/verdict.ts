import type { Answered } from './abuser.ts';

/** A caller whose request has more faults is told this many of them, and that there are more. */
const FAULTS = 100 + 1;
/** The greatest size of a refusal in bytes: people read it. */
export const REFUSAL_BYTES = 128 * 1024;
/** The greatest size of any other answer in bytes: one page of a list. */
export const ANSWER_BYTES = 16 * 1024 * 1024;

/** What is wrong with any answer, whatever its form. */
export function troublesOfAny({ status, text }: Answered): string[] {
  const troubles: string[] = [];
  if (status >= 500) troubles.push(`${status}: ${text.slice(0, 200)}`);
  const most = status >= 400 ? REFUSAL_BYTES : ANSWER_BYTES;
  const bytes = Buffer.byteLength(text);
  if (bytes > most) troubles.push(`the answer (${status}) has ${bytes} bytes`);
  return troubles;
}

/** What is wrong with an answer, in words; empty if nothing is. */
export function troublesOf(answer: Answered): string[] {
  const { status, type, text } = answer;
  const troubles = troublesOfAny(answer);
  // A page for people has no error codes.
  if (status < 400 || type.startsWith('text/html')) return troubles;
  let error: { code?: unknown; request_id?: unknown; details?: unknown[] } | undefined;
  try {
    error = (JSON.parse(text) as { error?: typeof error }).error;
  } catch {
    // not JSON, which is reported below
  }
  if (typeof error?.code !== 'string' || typeof error.request_id !== 'string') {
    troubles.push(`${status} without the envelope of errors: ${text.slice(0, 100)}`);
  }
  const faults = error?.details?.length ?? 0;
  if (faults > FAULTS) troubles.push(`${faults} faults in details`);
  return troubles;
}
