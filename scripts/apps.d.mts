/** Builds the apps unless the same sources were built before. The folder of the build, or null if it failed. */
export function buildApps(): Promise<string | null>;
/** The folder of all builds. */
export const builds: string;
