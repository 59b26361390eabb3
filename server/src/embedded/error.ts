/** A fault that the operator can fix. The message is one line that says what is wrong and what to do. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function noSpace(dataDir: string): EmbeddedError {
  return new EmbeddedError(`No space is left on the disk of ${dataDir}. Free some, or set DATA_DIR or DATABASE_URL.`);
}

/** Turns known errors of the file system and of PostgreSQL into an EmbeddedError; returns any other error unchanged. */
export function explain(error: unknown, dataDir: string): unknown {
  const code = codeOf(error);
  const making = error instanceof Error && 'syscall' in error && error.syscall === 'mkdir';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new EmbeddedError(
      `${dataDir} cannot be used by this user (${code}). Make it writable, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === '53100') return noSpace(dataDir);
  if (code === 'ENOTDIR' || making) {
    return new EmbeddedError(
      `The folder ${dataDir} cannot be created (${code}). Set DATA_DIR to another folder, or set DATABASE_URL.`,
    );
  }
  return error;
}
