/** A fault the operator can mend: the message is one line that says what is wrong and what to do. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function noSpace(dataDir: string): EmbeddedError {
  return new EmbeddedError(`No space is left on the disk of ${dataDir}. Free some, or set DATA_DIR or DATABASE_URL.`);
}

/** Turns what the file system or PostgreSQL answered into a line for a person; anything else passes unchanged. */
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
    return new EmbeddedError(`${dataDir} cannot be made a folder (${code}). Set DATA_DIR or DATABASE_URL.`);
  }
  return error;
}
