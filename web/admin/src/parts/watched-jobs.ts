import { useSyncExternalStore } from 'react';

/** A job that was started in this tab and whose end is told wherever one is then. */
export interface WatchedJob {
  org: string;
  job: string;
  /** What it does, in words of whoever started it: “Import of people.csv”. */
  title: string;
  /** The address in the app that shows it. */
  href: string;
}

const KEY = 'turnout.jobs';
const MAX_JOBS = 20;
let list: readonly WatchedJob[] = readWatchedJobs();
const listeners = new Set<() => void>();
/** Jobs whose progress is on the screen now: their end is seen there. */
const onScreen = new Map<string, number>();

function readWatchedJobs(): WatchedJob[] {
  try {
    return watchedIn(sessionStorage.getItem(KEY));
  } catch {
    return [];
  }
}
/** The jobs in a stored text. What another version of the app has left there in another shape is left out. */
export function watchedIn(stored: string | null): WatchedJob[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(list) ? list.filter(isWatched) : [];
  } catch {
    return [];
  }
}
function isWatched(one: Partial<WatchedJob> | null): boolean {
  return [one?.org, one?.job, one?.title, one?.href].every((text) => typeof text === 'string');
}
function change(next: readonly WatchedJob[]): void {
  list = next.slice(-MAX_JOBS);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // Without storage, a reload forgets what was watched; the job goes on.
  }
  for (const listener of listeners) listener();
}

/** Watches a job until it ends, also after the screen that started it is left or the page is loaded again. */
export const watchJob = (one: WatchedJob): void => change([...list.filter(({ job }) => job !== one.job), one]);
export const unwatchJob = (job: string): void => change(list.filter((one) => one.job !== job));

export const useWatchedJobs = (): readonly WatchedJob[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => list,
  );

/** Says that the progress of a job is being shown, until the returned function is called. */
export function markShown(job: string): () => void {
  onScreen.set(job, (onScreen.get(job) ?? 0) + 1);
  return () => {
    const left = (onScreen.get(job) ?? 1) - 1;
    if (left === 0) onScreen.delete(job);
    else onScreen.set(job, left);
  };
}
export const isShown = (job: string): boolean => onScreen.has(job);
