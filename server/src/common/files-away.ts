/** The store cannot be reached, or answers that it cannot serve. The same may succeed a moment later. */
export class FilesAway extends Error {
  /** Whether it answers, but not to us: a wrong bucket, or credentials that are wrong or may not do this. */
  readonly isRefused: boolean;
  constructor(cause: unknown, isRefused = false) {
    // The error of a library is not kept: it holds the whole call, with what only its headers may know.
    const { name, message } = cause as Error;
    super(`the store of files does not serve (${name}: ${message})`);
    this.isRefused = isRefused;
  }
}
