import { type Cell, type CellKind, clockText } from './sheet.ts';

/** Excel's limit of characters in a cell. */
const CHARACTERS = 32_767;

// Positions in the list of cell formats (`STYLES`).
const BOLD = 1;
const TIME = 2;
const DATE = 3;
/** The first of five formats, for 0 to 4 decimals. */
const AMOUNT = 4;

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// Characters that XML cannot contain are written as _xHHHH_. So are carriage returns, which XML would turn into line feeds, and
// underscores that would otherwise be read as the beginning of such an escape.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const SPECIAL = /[&<>"\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;
const hex = (character: string): string => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
export const escapeXml = (text: string): string =>
  text.replace(SPECIAL, (character) => ESCAPED[character] ?? hex(character));

/** Excel would call a file with a longer text damaged, so the text is cut and ends with an ellipsis. */
function fit(text: string): string {
  if (text.length <= CHARACTERS) return text;
  const cut = text.slice(0, CHARACTERS - 1);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}

function textCell(at: string, text: string, style: string): string {
  const space = /^\s|\s$/.test(text) ? ' xml:space="preserve"' : '';
  return `<c r="${at}"${style} t="inlineStr"><is><t${space}>${escapeXml(fit(text))}</t></is></c>`;
}

export const headingXml = (at: string, text: string): string => textCell(at, text, ` s="${BOLD}"`);

const DAY = 86_400_000;
/**
 * Days since 1899-12-30. Excel's calendar is wrong before 1 March 1900, so earlier dates are written as text, as is everything
 * that is not a date.
 */
const serial = (time: number): number => time / DAY + 25_569;
const FIRST = Date.UTC(1900, 2, 1);

export function cellXml(at: string, cell: Cell, kind: CellKind): string {
  if (cell === null || cell === '') return '';
  if (kind === 'amount') return `<c r="${at}" s="${AMOUNT + decimals(cell as string)}"><v>${cell}</v></c>`;
  if (kind !== 'plain') {
    const time = kind === 'time' ? (cell as number) : Date.parse(cell as string);
    if (!(time >= FIRST)) return textCell(at, kind === 'time' ? clockText(time) : (cell as string), '');
    return `<c r="${at}" s="${kind === 'time' ? TIME : DATE}"><v>${serial(time)}</v></c>`;
  }
  if (typeof cell === 'string') return textCell(at, cell, '');
  return typeof cell === 'number' ? `<c r="${at}"><v>${cell}</v></c>` : `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
}

const decimals = (amount: string): number => {
  const point = amount.indexOf('.');
  return point < 0 ? 0 : amount.length - point - 1;
};

const FORMATS: [id: number, code: string][] = [
  [164, 'yyyy\\-mm\\-dd\\ hh:mm:ss'],
  [165, 'yyyy\\-mm\\-dd'],
  [166, '#,##0.0'],
  [167, '#,##0.000'],
  [168, '#,##0.0000'],
];
const plain = (font: 0 | 1): string =>
  `<xf numFmtId="0" fontId="${font}" fillId="0" borderId="0" xfId="0" applyFont="1"/>`;
const number = (format: number): string =>
  `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`;
// 3 and 4 are built-in formats: thousands separators with no decimals and with two.
const CELL_FORMATS = [plain(0), plain(1), ...[164, 165, 3, 166, 4, 167, 168].map(number)];

const font = (bold: string): string => `<font>${bold}<sz val="11"/><name val="Calibri"/><family val="2"/></font>`;
const fill = (pattern: string): string => `<fill><patternFill patternType="${pattern}"/></fill>`;

/** The content of the style sheet. */
export const STYLES = [
  `<numFmts count="${FORMATS.length}">`,
  ...FORMATS.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`),
  `</numFmts><fonts count="2">${font('')}${font('<b/>')}</fonts>`,
  // Excel always takes the first two fills for these two, whatever they are.
  `<fills count="2">${fill('none')}${fill('gray125')}</fills>`,
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="${CELL_FORMATS.length}">${CELL_FORMATS.join('')}</cellXfs>`,
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
].join('');
