import { invalid } from '../../road/refusal.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** How the bytes of a file are read. `marked`: it began with a byte order mark. */
export interface Reading {
  encoding: Encoding;
  marked: boolean;
}

const begins = (bytes: Uint8Array, ...with_: number[]): boolean => with_.every((byte, i) => bytes[i] === byte);

/** By its byte order mark; else UTF-16 if every second byte of its beginning is zero; null: any other. */
function wide(head: Uint8Array): Reading | null {
  if (begins(head, 0xff, 0xfe)) return { encoding: 'utf-16le', marked: true };
  if (begins(head, 0xfe, 0xff)) return { encoding: 'utf-16be', marked: true };
  const zero = (i: number) => head[i] === 0;
  if (head.length >= 4 && !zero(0) && zero(1) && !zero(2) && zero(3)) return { encoding: 'utf-16le', marked: false };
  if (head.length >= 4 && zero(0) && !zero(1) && zero(2) && !zero(3)) return { encoding: 'utf-16be', marked: false };
  return null;
}

/** Looks at the whole file: only what is UTF-8 to its last byte is UTF-8, everything else is Windows-1252. */
export async function readingOf(bytes: AsyncIterable<Uint8Array>): Promise<Reading> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let reading: Reading | null = null;
  for await (const chunk of bytes) {
    if (reading === null) {
      if (begins(chunk, 0x50, 0x4b, 0x03, 0x04) || begins(chunk, 0xd0, 0xcf, 0x11, 0xe0)) {
        invalid({ path: 'csv', message: 'is a workbook or an archive, not text: save it as CSV and send that' });
      }
      reading = wide(chunk);
      if (reading !== null) return reading;
      reading = { encoding: 'utf-8', marked: begins(chunk, 0xef, 0xbb, 0xbf) };
    }
    try {
      utf8.decode(chunk, { stream: true });
    } catch {
      return { encoding: 'windows-1252', marked: false };
    }
  }
  try {
    utf8.decode();
  } catch {
    return { encoding: 'windows-1252', marked: false };
  }
  return reading ?? { encoding: 'utf-8', marked: false };
}

/** How many bytes of the file a text of it was. */
export function sizeIn(encoding: Encoding): (text: string) => number {
  if (encoding === 'utf-8') return (text) => Buffer.byteLength(text);
  const unit = encoding === 'windows-1252' ? 1 : 2;
  return (text) => text.length * unit;
}

/** The text of a file, some at a time. `inside`: the bytes are not its beginning, so nothing there is a byte order mark. */
export async function* textOf(
  bytes: AsyncIterable<Uint8Array>,
  { encoding }: Reading,
  inside = false,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: inside });
  const checked = (text: string): string => {
    if (text.includes('\u0000'))
      invalid({ path: 'csv', message: 'contains NUL characters: it is damaged, or not text' });
    return text;
  };
  for await (const chunk of bytes) yield checked(decoder.decode(chunk, { stream: true }));
  yield checked(decoder.decode());
}
