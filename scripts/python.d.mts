/** The version of this machine's Python if it is 3.10 or newer and can make environments, else null. */
export function pythonVersion(): string | null;
/**
 * The environment for tests: a Python that has packages/python/requirements.txt, and the folder of the same packages as files. Null if
 * it cannot be made here.
 */
export function pythonForTests(): Promise<{ python: string; wheels: string } | null>;
