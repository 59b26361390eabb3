import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { TicketPrint } from './ticket.ts';

export const sample: TicketPrint = {
  code: '7K2M9QX4T8VR3BNWJ5H6PDCZ0Y',
  event: {
    name: 'Bergen Summer Fair 2026',
    venue: 'Grieghallen, Bergen',
    timezone: 'Europe/Oslo',
    language: 'en',
    starts_at: '2026-06-12T07:00:00Z',
    ends_at: '2026-06-14T16:00:00Z',
    terms: 'This ticket admits the person named above.\nPlease keep the code to yourself.',
  },
  organization: { name: 'Nordic Fairs Association' },
  people: [{ name: 'Ada Lovelace', attendee_type: 'Exhibitor' }],
  days: [
    {
      name: 'Opening day',
      date: '2026-06-12',
      opens_at: '2026-06-12T07:00:00Z',
      closes_at: '2026-06-12T16:00:00Z',
    },
  ],
  registration_code: 'R-8KQ2M',
  test: false,
};

/** A ticket with as much text as possible. */
export const crowded: TicketPrint = {
  ...sample,
  event: {
    ...sample.event,
    name: 'Internationaler Kongress für Verwaltungsdigitalisierung und Bürgerbeteiligung in der Europäischen Union, in Verbindung mit der Jahrestagung der Gesellschaft für Öffentliches Recht',
    venue:
      'Kongresszentrum am Donaudampfschifffahrtsgesellschaftskapitänsplatz, Eingang Süd, Halle 7.1, Obergeschoss, Saal Annette von Droste-Hülshoff',
    language: 'de',
    terms: 'Der Einlass erfolgt nur mit gültigem Ticket. Ein Wiedereinlass am selben Tag ist möglich.\n'
      .repeat(34)
      .slice(0, 3000),
  },
  people: Array.from({ length: 12 }, (_, index) => ({
    name:
      index % 2 === 0
        ? `Maximilian-Ferdinand Graf von und zu Hohenberg-Lüdenscheidt ${index}`
        : `${'Langname'.repeat(12)}${index}`,
    attendee_type: 'Ermäßigt (Studierende, Auszubildende, Ehrenamtliche)',
  })),
  days: Array.from({ length: 10 }, (_, index) => ({
    name: `Tag ${index + 1}`,
    date: `2026-06-${12 + index}`,
    opens_at: `2026-06-${12 + index}T07:00:00Z`,
    closes_at: `2026-06-${12 + index}T16:00:00Z`,
  })),
};

export const textOf = (pdf: Buffer, ...options: string[]): string =>
  execFileSync('pdftotext', ['-layout', ...options, '-', '-'], { input: pdf }).toString();

export interface Word {
  text: string;
  page: number;
  box: [left: number, top: number, right: number, bottom: number];
}

/** Every word with its position, and the sizes of the pages. */
export function wordsOf(pdf: Buffer): { pages: { width: number; height: number }[]; words: Word[] } {
  const xml = execFileSync('pdftotext', ['-bbox', '-', '-'], { input: pdf, maxBuffer: 1e8 }).toString();
  const pages: { width: number; height: number }[] = [];
  const words: Word[] = [];
  for (const [, tag, attributes = '', text = ''] of xml.matchAll(/<(page|word)([^>]*)>([^<]*)/g)) {
    const numbers = [...attributes.matchAll(/="([\d.-]+)"/g)].map((match) => Number(match[1]));
    if (tag === 'page') pages.push({ width: numbers[0] ?? 0, height: numbers[1] ?? 0 });
    else words.push({ text, page: pages.length - 1, box: numbers as Word['box'] });
  }
  return { pages, words };
}

/** A page as a PNG. */
export const pictureOf = (pdf: Buffer, page = 1, dpi = 100): Buffer =>
  execFileSync('pdftoppm', ['-png', '-r', String(dpi), '-f', String(page), '-l', String(page), '-'], {
    input: pdf,
    maxBuffer: 1e9,
  });

// Without this, the library would fetch its decoder over the network.
const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(wasm).buffer } });

/** Every QR code in a picture. */
export async function readQr(picture: Buffer): Promise<{ text: string; version: string; level: string }[]> {
  const codes = await readBarcodes(Uint8Array.from(picture), { formats: ['QRCode'] });
  return codes.map(({ text, version, ecLevel }) => ({ text, version: String(version), level: ecLevel }));
}
