import { invalid } from '../../common/refusal.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** How the bytes of a file are read. `marked` says that it begins with a byte order mark. */
export interface Reading {
  encoding: Encoding;
  marked: boolean;
}

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean => start.every((byte, i) => bytes[i] === byte);

/** Recognizes UTF-16 by its byte order mark, or by zeros in every second of the first four bytes. Null if it is neither. */
function utf16In(head: Uint8Array): Reading | null {
  if (startsWith(head, 0xff, 0xfe)) return { encoding: 'utf-16le', marked: true };
  if (startsWith(head, 0xfe, 0xff)) return { encoding: 'utf-16be', marked: true };
  const zero = (i: number) => head[i] === 0;
  if (head.length >= 4 && !zero(0) && zero(1) && !zero(2) && zero(3)) return { encoding: 'utf-16le', marked: false };
  if (head.length >= 4 && zero(0) && !zero(1) && zero(2) && !zero(3)) return { encoding: 'utf-16be', marked: false };
  return null;
}

/** Reads the whole file: it is UTF-8 only if every byte of it is valid UTF-8. Any other text is taken for Windows-1252. */
export async function readingOf(bytes: AsyncIterable<Uint8Array>): Promise<Reading> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let reading: Reading | null = null;
  for await (const chunk of bytes) {
    if (reading === null) {
      if (startsWith(chunk, 0x50, 0x4b, 0x03, 0x04) || startsWith(chunk, 0xd0, 0xcf, 0x11, 0xe0)) {
        invalid({ path: 'csv', message: 'is a workbook or an archive, not text: save it as CSV and send that' });
      }
      reading = utf16In(chunk);
      if (reading !== null) return reading;
      reading = { encoding: 'utf-8', marked: startsWith(chunk, 0xef, 0xbb, 0xbf) };
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

/** Counts the bytes that a piece of the file's text took up in the file. */
export function sizeIn(encoding: Encoding): (text: string) => number {
  if (encoding === 'utf-8') return (text) => Buffer.byteLength(text);
  const unit = encoding === 'windows-1252' ? 1 : 2;
  return (text) => text.length * unit;
}

/**
 * The text of a file, piece by piece. `inside` says that the bytes begin somewhere inside the file, where U+FEFF is not a byte
 * order mark.
 */
export async function* textOf(
  bytes: AsyncIterable<Uint8Array>,
  { encoding }: Reading,
  inside = false,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: inside });
  const checked = (text: string): string => {
    if (text.includes('\u0000'))
      invalid({ path: 'csv', message: 'contains NUL characters: the file is damaged, or it is not a text file' });
    return text;
  };
  for await (const chunk of bytes) yield checked(decoder.decode(chunk, { stream: true }));
  yield checked(decoder.decode());
}
