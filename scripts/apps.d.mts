interface Options {
  /** The folder that the sources are in. */
  at?: string;
  sources?: readonly string[];
  /** The folder of all builds. */
  builds?: string;
  /** Builds into a folder; false if it failed. */
  make?: (folder: string) => Promise<boolean>;
  say?: (line: string) => void;
  /** Ends the build. */
  stop?: AbortSignal;
}
/** Builds the apps unless the same sources were built before. The folder of the build, or null if it failed. */
export function buildApps(options?: Options): Promise<string | null>;
