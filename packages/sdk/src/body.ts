/** A file. A stream is not accepted, because it could not be sent again. */
export type FileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string;

interface Encoded {
  body: BodyInit;
  type: string;
}

const isFile = (body: unknown): body is FileBody =>
  typeof body === 'string' || body instanceof Blob || body instanceof ArrayBuffer || body instanceof Uint8Array;

/** What is sent: a file as it is if the operation takes one (`types`), anything else as JSON. */
export async function encode(body: unknown, types: readonly string[] | undefined): Promise<Encoded> {
  if (types === undefined || !isFile(body)) return { body: JSON.stringify(body ?? {}), type: 'application/json' };
  return { body, type: await mediaType(body, types) };
}

/** What the file itself says it is, else what its first bytes say, else the first type that the operation takes. */
async function mediaType(file: FileBody, types: readonly string[]): Promise<string> {
  if (file instanceof Blob && types.includes(file.type)) return file.type;
  if (typeof file === 'string') return types[0]!;
  const start = new Uint8Array(file instanceof Blob ? await file.slice(0, 12).arrayBuffer() : file).subarray(0, 12);
  const picture = [
    ['image/png', '\x89PNG'],
    ['image/jpeg', '\xff\xd8'],
    ['image/webp', 'RIFF'],
  ].find(([, sign]) => String.fromCharCode(...start).startsWith(sign!));
  return types.find((type) => type === picture?.[0]) ?? types[0]!;
}

/** Lists are sent as a repeated parameter; what is undefined or null is left out. */
export function search(query: object | undefined): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one) => [name, String(one)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
