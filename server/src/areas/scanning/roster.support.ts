import { type IncomingMessage, request } from 'node:http';

/** The bytes of the answer as they are sent; rejects if the connection breaks. */
export async function download(url: string, headers: Record<string, string>, signal?: AbortSignal) {
  const message = await open(url, headers, signal);
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return { message, body: Buffer.concat(chunks) };
}

export const open = (url: string, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers, ...(signal && { signal }) }, resolve)
      .on('error', reject)
      .end();
  });
