/** What may be given with every call. */
export interface CallOptions {
  /** Ends the call, also while it waits to be tried again. The call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** How long each try may take, in milliseconds. */
  timeout?: number | undefined;
  /** How often the call is tried again. */
  maxRetries?: number | undefined;
  /**
   * For a POST: the value that makes it safe to repeat for 24 hours. One is made if you give none, and is the same for all tries of this
   * call. Give your own, derived from your data, if your program may be killed and repeat the call when it is started again.
   */
  idempotencyKey?: string | undefined;
  /** More headers, such as `If-None-Match` or `X-Scanner-Version`. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface Answer<T> {
  data: T;
  status: number;
  headers: Headers;
  requestId: string | null;
}

/** The promise of an answer. `withResponse()` also gives the status and the headers. */
export class Call<T> extends Promise<T> {
  readonly #answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    super((resolve) => resolve(answer.then(({ data }) => data)));
    this.#answer = answer;
  }

  /** `then` and the like give plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  withResponse(): Promise<Answer<T>> {
    // The failure reaches whoever awaits the answer, so the call itself is not an unhandled rejection.
    this.catch(() => {});
    return this.#answer;
  }
}
