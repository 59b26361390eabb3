/** What goes out. Text or bytes as they are kept, so that a repeated answer is the same to the letter. */
export interface Answer {
  status: number;
  body: string | Buffer;
  requestId: string;
  headers: Record<string, string>;
}

const written = new WeakMap<object, string>();

/** The text of an answer that the work keeps, too: written once. It must not be changed any more. */
export function textOf(body: object): string {
  const text = written.get(body) ?? JSON.stringify(body);
  written.set(body, text);
  return text;
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
