export interface Sheet {
  head: string[];
  rows: string[][];
}

const DELIMITERS = [',', ';', '\t', '|'];

/** A CSV file as the server writes it: its delimiter is the one of these that its first line has most often outside of quotes. */
export function readCsv(text: string): Sheet {
  const clean = text.replace(/^\ufeff/, '');
  const [head = [], ...rows] = records(clean, delimiterOf(clean));
  return { head, rows };
}

function delimiterOf(text: string): string {
  const line = (/^(?:"[^"]*"|[^"\r\n])*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const count = (sign: string) => line.split(sign).length;
  return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0]!;
}

function records(text: string, delimiter: string): string[][] {
  const found: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  const endCell = () => {
    cells.push(cell);
    cell = '';
  };
  const endRow = () => {
    endCell();
    if (cells.length > 1 || cells[0] !== '') found.push(cells);
    cells = [];
  };
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]!;
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[i + 1] === '"') cell += text[++i]!;
      else quoted = false;
    } else if (sign === '"' && cell === '') quoted = true;
    else if (sign === delimiter) endCell();
    else if (sign === '\n') endRow();
    else if (sign !== '\r') cell += sign;
  }
  if (cell !== '' || cells.length > 0) endRow();
  return found;
}

/** The same as text again, in the form that the import reads. */
export const writeCsv = ({ head, rows }: Sheet): string =>
  [head, ...rows].map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
