export type AppName = 'admin' | 'scan';
interface Options {
  /** The folder that the sources are in. */
  at?: string;
  sources?: readonly string[];
  /** The folder of all builds. */
  builds?: string;
  /** Builds an app into a folder; false if it failed. */
  make?: (folder: string, stop: AbortSignal | undefined, app: AppName) => Promise<boolean>;
  say?: (line: string) => void;
  /** Ends the build. */
  stop?: AbortSignal;
}
export const APPS: Readonly<Record<AppName, { name: string; path: string; sources: readonly string[] }>>;
/** Builds one app unless the same sources were built before. The folder of the build, or null if it failed. */
export function buildApp(app: AppName, options?: Options): Promise<string | null>;
/** Builds all of them. */
export function buildApps(options?: Pick<Options, 'stop'>): Promise<Record<AppName, string | null>>;
