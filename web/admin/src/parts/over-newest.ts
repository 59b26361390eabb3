import { Problem } from '@turnout/client';

/** What a call passes on, so that the server refuses it if somebody else was faster. */
export interface CallVersion {
  ifMatch?: string;
}

/**
 * Deletes something as it is shown. If somebody else has changed it since, nothing is deleted, and what they have changed is fetched: then
 * it is shown when one decides again.
 */
export async function asShown<R>(
  shown: { updated_at: string },
  remove: (options: CallVersion) => Promise<R>,
  fetchAgain: () => Promise<unknown>,
): Promise<R> {
  try {
    return await remove({ ifMatch: shown.updated_at });
  } catch (error) {
    if (error instanceof Problem && error.status === 412) await fetchAgain();
    throw error;
  }
}

/** What a dialog that was opened about one of these shows: it as it is by now. */
export const newestOf = <T extends { id: string }>(all: readonly T[], opened: T): T =>
  all.find(({ id }) => id === opened.id) ?? opened;

/** More tries would mean that something else is wrong: people do not save five times within a second. */
const TRIES = 5;

/**
 * Saves a change of something that several people may have open. `save` gets what is saved right now, compares it with what the form
 * began with, and passes the options on with its call. If somebody else saves in the milliseconds between, the server does nothing, and
 * the comparison is made again.
 */
export async function overNewest<T extends { updated_at?: string }, R>(
  read: () => Promise<T>,
  save: (newest: T, options: CallVersion) => Promise<R>,
): Promise<R> {
  for (let left = TRIES; ; left -= 1) {
    const newest = await read();
    try {
      return await save(newest, newest.updated_at === undefined ? {} : { ifMatch: newest.updated_at });
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412 || left === 1) throw error;
    }
  }
}
