import type { HttpResponse, ZObject } from 'zapier-platform-core';
import { refuse } from './refusals.ts';

/** Reads something, or null where the answer is one of these statuses. */
export async function readUnless<T>(z: ZObject, url: string, statuses: number[], params = {}): Promise<T | null> {
  const response: HttpResponse<T> = await z.request({
    url,
    params,
    removeMissingValuesFrom: { params: true },
    skipThrowForStatus: true,
  });
  if (statuses.includes(response.status)) return null;
  if (response.status >= 300) refuse(z, response);
  return response.data;
}
