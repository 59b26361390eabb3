/** Installs the programs that a run needs and npm does not have. */
export function installTools(what?: 'usual' | 'night' | 'drill'): Promise<void>;
/** The folder with the programs of the newest PostgreSQL of Debian; null if there is none. */
export function postgresqlPrograms(): string | null;
/** The path of Helm, which is built if it is not there. Null if it cannot be had here. */
export function helmForTests(): Promise<string | null>;
