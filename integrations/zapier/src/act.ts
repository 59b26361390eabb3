import { createHash } from 'node:crypto';
import type { Bundle, HttpResponse, ZObject } from 'zapier-platform-core';
import { refuse } from './refusals.ts';

const hash = (...parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/**
 * Zapier tells an action neither which run of a Zap it belongs to nor whether it is a repetition. What is the same in a repetition is the
 * Zap, the values and the retry key that somebody has mapped.
 */
export const sameRun = ({ meta, inputData }: Bundle, ...what: unknown[]): string =>
  hash(meta.zap?.id ?? '', inputData.retry_key ?? '', ...what);

/** How often a Zap can be repeated by hand within 24 hours after its step was refused. */
const MAX_REPEATS = 20;

/**
 * One operation that does something, sent so that a repeated run gets the first answer again and does nothing twice. A refusal is an
 * answer as well, but a stored one must not be the last word: the organizer may have made room since. Nothing was done when it was given,
 * so the call is made anew, under a key that follows from the refusal's own id and is therefore the same in the next repetition.
 */
export async function act<T>(z: ZObject, bundle: Bundle, url: string, body: unknown): Promise<T> {
  let key = sameRun(bundle, url, body);
  for (let repeats = 0; ; repeats++) {
    const response: HttpResponse<T> = await z.request({
      method: 'POST',
      url,
      body: body as Record<string, unknown>,
      headers: { 'Idempotency-Key': key, 'Content-Type': 'application/json' },
      skipThrowForStatus: true,
    });
    if (response.status < 300) return response.data;
    const stored = response.getHeader('idempotent-replayed') === 'true';
    if (!stored || repeats >= MAX_REPEATS) refuse(z, response);
    key = hash(key, response.getHeader('x-request-id'));
  }
}
