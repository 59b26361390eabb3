/** The answer to a call. Its body is the text or the bytes that are stored, so that a repeated answer is exactly the same. */
export interface Answer {
  status: number;
  body: string | Buffer;
  requestId: string;
  headers: Record<string, string>;
  /** The caller may keep the answer and ask with `If-None-Match` whether it is still true. */
  revalidated?: true;
}

const written = new WeakMap<object, string>();

/** The JSON of an answer that the work also stores. It is made only once, so the object must not be changed afterwards. */
export function textOf(body: object): string {
  const text = written.get(body) ?? JSON.stringify(body);
  written.set(body, text);
  return text;
}

/** Whoever has written the JSON of an answer already says so; the object must not be changed afterwards. */
export function isWritten(body: object, text: string): void {
  written.set(body, text);
}

export const answer = (
  status: number,
  body: unknown,
  requestId: string,
  headers: Record<string, string> = {},
): Answer => ({
  status,
  body: status === 204 || body === undefined ? '' : (written.get(body as object) ?? JSON.stringify(body)),
  requestId,
  headers,
});

export const replayed = (first: Answer): Answer => ({
  ...first,
  headers: { ...first.headers, 'Idempotent-Replayed': 'true' },
});
