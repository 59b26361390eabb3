import { type Cell, type CellKind, encoded, type Pages, type SheetColumn } from './sheet.ts';
import { cellXml, escapeXml, headingXml, STYLES } from './xlsx-cells.ts';
import { Zip } from './zip.ts';

/** Excel's limit of rows in a sheet. */
const ROWS = 1_048_576;
/** A sheet ends after this many bytes, before its entry becomes too large for the zip file. */
const BYTES = 4_000_000_000;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
export const XLSX_TYPE = `${TYPES}.sheet`;

const WIDTHS: Record<CellKind, number> = { plain: 16, amount: 12, time: 19, date: 11 };

interface Sheet {
  name: string;
  /** The range of used cells, including the headings. */
  area: string;
}

/**
 * Writes an Excel workbook as a stream and keeps nothing of what is written. Headings are bold, frozen and have a filter. Rows
 * that do not fit into a sheet continue in the next one, under the same headings. Texts have the cell type "text", so no
 * spreadsheet runs them as formulas. Why this is not a library: docs/decisions/0025-excel-files.md.
 */
export async function* xlsx(
  title: string,
  columns: readonly SheetColumn[],
  pages: Pages,
  most = ROWS,
): AsyncGenerator<Buffer> {
  const zip = new Zip();
  const feed = new Feed(pages);
  const sheets: Sheet[] = [];
  try {
    yield* zip.entry('_rels/.rels', text(relations([['officeDocument', 'xl/workbook.xml']])));
    yield* zip.entry('xl/styles.xml', text(`${XML}<styleSheet xmlns="${MAIN}">${STYLES}</styleSheet>`));
    do {
      const sheet: Sheet = { name: sheets.length === 0 ? title : `${title} ${sheets.length + 1}`, area: '' };
      sheets.push(sheet);
      yield* zip.entry(`xl/worksheets/sheet${sheets.length}.xml`, encoded(sheetXml(columns, feed, sheet, most)));
    } while (await feed.more());
    yield* zip.entry('xl/workbook.xml', text(workbook(sheets)));
    const parts = sheets.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const);
    yield* zip.entry('xl/_rels/workbook.xml.rels', text(relations([...parts, ['styles', 'styles.xml']])));
    yield* zip.entry('[Content_Types].xml', text(contentTypes(sheets.length)));
    yield* zip.end();
  } finally {
    await feed.end();
  }
}

const text = (xml: string): Buffer[] => [Buffer.from(xml)];

async function* sheetXml(
  columns: readonly SheetColumn[],
  feed: Feed,
  sheet: Sheet,
  most: number,
): AsyncGenerator<Iterable<string>> {
  const at = columns.map((_, i) => letters(i));
  yield [
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">`,
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>',
    `<cols>${columns.map(widthXml).join('')}</cols><sheetData>`,
    `<row r="1">${columns.map(({ heading }, i) => headingXml(`${at[i]}1`, heading)).join('')}</row>`,
  ];
  let last = 1;
  let bytes = 0;
  function* rows(): Generator<string> {
    for (const row of feed.take(most - last)) {
      last += 1;
      let xml = `<row r="${last}">`;
      for (let i = 0; i < columns.length; i += 1) xml += cellXml(`${at[i]}${last}`, row[i]!, columns[i]!.kind);
      xml += '</row>';
      bytes += Buffer.byteLength(xml);
      yield xml;
    }
  }
  while (last < most && bytes < BYTES && (await feed.more())) yield rows();
  sheet.area = `$A$1:$${at.at(-1)}$${last}`;
  yield [`</sheetData><autoFilter ref="${sheet.area.replaceAll('$', '')}"/></worksheet>`];
}

const widthXml = ({ kind, width, heading }: SheetColumn, i: number): string => {
  const wide = width ?? Math.max(WIDTHS[kind], Math.min(heading.length + 4, 40));
  return `<col min="${i + 1}" max="${i + 1}" width="${wide}" customWidth="1"/>`;
};

/** 0 is A, 26 is AA. */
function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last;
}

const relations = (targets: readonly (readonly [kind: string, target: string])[]): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(
      ([kind, target], i) =>
        `<Relationship Id="rId${i + 1}" Type="${RELATIONS}/${kind}" Target="${escapeXml(target)}"/>`,
    )
    .join('')}</Relationships>`;

/** Excel also looks for the filters among the defined names. */
const workbook = (sheets: readonly Sheet[]): string =>
  `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets
    .map(({ name }, i) => `<sheet name="${escapeXml(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
    .join('')}</sheets><definedNames>${sheets
    .map(
      ({ name, area }, i) =>
        `<definedName name="_xlnm._FilterDatabase" localSheetId="${i}" hidden="1">'${escapeXml(name)}'!${area}</definedName>`,
    )
    .join('')}</definedNames></workbook>`;

const contentTypes = (sheets: number): string => {
  const part = (name: string, type: string) =>
    `<Override PartName="/xl/${name}.xml" ContentType="${TYPES}.${type}+xml"/>`;
  return [
    `${XML}<Types xmlns="${PACKAGE}/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    part('workbook', 'sheet.main'),
    part('styles', 'styles'),
    ...Array.from({ length: sheets }, (_, i) => part(`worksheets/sheet${i + 1}`, 'worksheet')),
    '</Types>',
  ].join('');
};

/** Hands out rows up to the limit of a sheet, independent of the pages they come in. */
class Feed {
  readonly #pages: AsyncIterator<Iterable<readonly Cell[]>>;
  #rows: Iterator<readonly Cell[]> = [].values();
  #ahead: readonly Cell[] | null = null;
  constructor(pages: Pages) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  async more(): Promise<boolean> {
    while (!this.#look()) {
      const page = await this.#pages.next();
      if (page.done === true) return false;
      this.#rows = page.value[Symbol.iterator]();
    }
    return true;
  }

  /** At most `most` rows, all of the current page. */
  *take(most: number): Generator<readonly Cell[]> {
    for (let left = most; left > 0 && this.#look(); left -= 1) {
      const row = this.#ahead!;
      this.#ahead = null;
      yield row;
    }
  }

  async end(): Promise<void> {
    await this.#pages.return?.();
  }

  #look(): boolean {
    if (this.#ahead !== null) return true;
    const row = this.#rows.next();
    if (row.done !== true) this.#ahead = row.value;
    return row.done !== true;
  }
}
