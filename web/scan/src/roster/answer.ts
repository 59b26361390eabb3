import type { Ask, FromWorker, RosterApi } from './api.ts';

/** Does what a message asks for. What fails is an answer, too: whoever asked waits for one. */
export async function answerTo({ id, method, argument }: Ask, keeper: RosterApi): Promise<FromWorker> {
  try {
    return { id, value: await (keeper[method] as (argument: unknown) => Promise<unknown>)(argument) };
  } catch (error) {
    return { id, error: String((error as Error)?.message ?? error), name: (error as Error)?.name ?? 'Error' };
  }
}
