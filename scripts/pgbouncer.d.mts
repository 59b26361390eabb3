/** The version of a PgBouncer, as [major, minor]; null if it does not run. */
export function versionOf(command: string): [number, number] | null;
/**
 * The command that runs PgBouncer 1.21 or newer; null where there is none. With `install` it is fetched if it can be.
 */
export function newPgbouncer(options?: { install?: boolean }): Promise<string | null>;
