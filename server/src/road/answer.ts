/** What goes out. Text or bytes as they are kept, so that a repeated answer is the same to the letter. */
export interface Answer {
  status: number;
  body: string | Buffer;
  requestId: string;
  headers: Record<string, string>;
}

export const answer = (
  status: number,
  body: unknown,
  requestId: string,
  headers: Record<string, string> = {},
): Answer => ({
  status,
  body: status === 204 || body === undefined ? '' : JSON.stringify(body),
  requestId,
  headers,
});

export const replayed = (first: Answer): Answer => ({
  ...first,
  headers: { ...first.headers, 'Idempotent-Replayed': 'true' },
});
