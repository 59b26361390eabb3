import { crc32, inflateRawSync } from 'node:zlib';

/** Reads workbooks by the specifications of the format (ECMA-376, APPNOTE), independently of the code that writes them. */
export interface ReadSheet {
  name: string;
  /** Dates and times are text in the format of their cell; empty cells are null. */
  rows: (string | number | boolean | null)[][];
  /** How many rows stay in place when one scrolls. */
  frozen: number;
  filter: string | null;
  widths: number[];
  /** The styles of the cells in the first row. */
  bold: boolean[];
}

export function readZip(file: Buffer): Map<string, Buffer> {
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06'));
  if (end < 0) throw new Error('This is not a zip file: it has no end record.');
  const entries = new Map<string, Buffer>();
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (file.readUInt32LE(at) !== 0x02014b50) throw new Error(`no entry at ${at}`);
    const [crc, packed, size] = [16, 20, 24].map((offset) => file.readUInt32LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => file.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const name = file.toString('utf8', at + 46, at + 46 + nameLength);
    const local = file.readUInt32LE(at + 42);
    if (file.readUInt32LE(local) !== 0x04034b50) throw new Error(`${name} is not where the directory says`);
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const bytes = inflateRawSync(file.subarray(start, start + packed));
    if (bytes.length !== size || crc32(bytes) !== crc) throw new Error(`${name} is broken`);
    entries.set(name, bytes);
    at += 46 + nameLength + extra + comment;
  }
  return entries;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (xml: string): string => xml.replace(/&(\w+);/g, (_, name: string) => ENTITIES[name]!);
const unquote = (text: string): string =>
  text.replace(/_x([0-9A-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1];
const tags = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}\\b([^>]*?)/?>`, 'g'))].map(([, inside]) => inside!);
const columnOf = (reference: string): number =>
  [...reference.replace(/\d+$/, '')].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;

export function readXlsx(file: Buffer): ReadSheet[] {
  const zip = readZip(file);
  const part = (name: string): string => {
    const bytes = zip.get(name);
    if (bytes === undefined) throw new Error(`the workbook has no ${name}`);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  };
  const types = part('[Content_Types].xml');
  const targets = new Map(
    tags(part('xl/_rels/workbook.xml.rels'), 'Relationship').map((tag) => [
      attribute(tag, 'Id')!,
      attribute(tag, 'Target')!,
    ]),
  );
  const styles = stylesOf(part('xl/styles.xml'));
  return tags(part('xl/workbook.xml'), 'sheet').map((tag) => {
    const path = `xl/${targets.get(attribute(tag, 'r:id')!)}`;
    if (!types.includes(`PartName="/${path}"`)) throw new Error(`${path} has no content type`);
    return { name: decoded(attribute(tag, 'name')!), ...sheetOf(part(path), styles) };
  });
}

interface Style {
  format: string;
  bold: boolean;
}

function stylesOf(xml: string): Style[] {
  const formats = new Map(
    tags(xml, 'numFmt').map((tag) => [attribute(tag, 'numFmtId')!, decoded(attribute(tag, 'formatCode')!)]),
  );
  const fonts = [...xml.matchAll(/<font>(.*?)<\/font>/g)].map(([, font]) => font!.includes('<b/>'));
  const cells = /<cellXfs[^>]*>(.*?)<\/cellXfs>/s.exec(xml)![1]!;
  return tags(cells, 'xf').map((tag) => ({
    format: formats.get(attribute(tag, 'numFmtId')!) ?? '',
    bold: fonts[Number(attribute(tag, 'fontId'))]!,
  }));
}

function sheetOf(xml: string, styles: Style[]): Omit<ReadSheet, 'name'> {
  const bold: boolean[] = [];
  const rows = [...xml.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)].map(([, number, inside], i) => {
    if (Number(number) !== i + 1) throw new Error(`row ${number} is the ${i + 1}th`);
    const row: ReadSheet['rows'][number] = [];
    for (const [, tag, cell] of inside!.matchAll(/<c\b([^>]*)>(.*?)<\/c>/gs)) {
      const style = styles[Number(attribute(tag!, 's') ?? 0)]!;
      const column = columnOf(attribute(tag!, 'r')!);
      while (row.length < column) row.push(null);
      row.push(cellValue(attribute(tag!, 't'), cell!, style));
      if (i === 0) bold.push(style.bold);
    }
    return row;
  });
  const pane = tags(xml, 'pane')[0];
  const filter = tags(xml, 'autoFilter')[0];
  return {
    rows,
    frozen: pane !== undefined && attribute(pane, 'state') === 'frozen' ? Number(attribute(pane, 'ySplit')) : 0,
    filter: filter === undefined ? null : attribute(filter, 'ref')!,
    widths: tags(xml, 'col').map((tag) => Number(attribute(tag, 'width'))),
    bold,
  };
}

function cellValue(type: string | undefined, xml: string, { format }: Style): string | number | boolean {
  if (type === 'inlineStr') return unquote(decoded(/<t\b[^>]*>(.*?)<\/t>/s.exec(xml)?.[1] ?? ''));
  const value = Number(/<v>(.*?)<\/v>/.exec(xml)![1]);
  if (type === 'b') return value === 1;
  if (!format.startsWith('yyyy')) return value;
  const text = new Date(Math.round((value - 25_569) * 86_400) * 1000).toISOString();
  return format.includes('hh') ? text.slice(0, 19).replace('T', ' ') : text.slice(0, 10);
}
