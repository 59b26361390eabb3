import type { QuestionKind } from '@turnout/contract';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../common/refusal.ts';
import type { QuestionRow } from '../events/index.ts';
import { readRow } from './import-cells.ts';
import { readDate } from './import-dates.ts';
import { columnsOf, fieldOf } from './import-headings.ts';
import { rejectsFile } from './import-rejects.ts';
import type { ImportRow } from './import-row.ts';
import { tableOf } from './import-table.ts';
import { readingOf, textOf } from './import-text.ts';

async function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Reads a file from its bytes, which arrive in pieces of any size. */
async function read(file: string | Uint8Array, size = 64 * 1024) {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  const reading = await readingOf(pieces(bytes, size));
  const table = await tableOf(textOf(pieces(bytes, size), reading));
  const rows = [];
  for await (const some of table.rows) rows.push(...some);
  return { reading, table, rows, cells: rows.map((row) => row.cells) };
}

const details = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof Refusal) return JSON.stringify(error.options.details);
    throw error;
  }
  throw new Error('it was not refused');
};

describe('bytes', () => {
  const text = 'Prénom,Nom,Stück\nÉlodie,Müller,“5” €\n';
  const utf16 = (marked: boolean, big: boolean): Buffer => {
    const bytes = Buffer.from((marked ? '\ufeff' : '') + text, 'utf16le');
    return big ? bytes.swap16() : bytes;
  };
  const windows = Buffer.from([
    ...Buffer.from('Prénom,Nom,Stück\nÉlodie,Müller,', 'latin1'),
    ...[0x93, 0x35, 0x94, 0x20, 0x80, 0x0a],
  ]);
  test.each([
    ['UTF-8', Buffer.from(text), { encoding: 'utf-8', marked: false }],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`), { encoding: 'utf-8', marked: true }],
    ['UTF-16 LE', utf16(true, false), { encoding: 'utf-16le', marked: true }],
    ['UTF-16 BE', utf16(true, true), { encoding: 'utf-16be', marked: true }],
    ['UTF-16 LE without a mark', utf16(false, false), { encoding: 'utf-16le', marked: false }],
    ['UTF-16 BE without a mark', utf16(false, true), { encoding: 'utf-16be', marked: false }],
    ['Windows-1252', windows, { encoding: 'windows-1252', marked: false }],
  ])('%s is read, whatever pieces it comes in', async (_name, bytes, reading) => {
    for (const size of [5, 7, 1000]) {
      const file = await read(bytes, size);
      expect(file.reading).toEqual(reading);
      expect(file.table.headings).toEqual(['Prénom', 'Nom', 'Stück']);
      expect(file.cells).toEqual([['Élodie', 'Müller', '“5” €']]);
    }
  });

  test('one wrong byte at the very end makes a file Windows-1252', async () => {
    const bytes = Buffer.concat([Buffer.from('First name,Last name\nZoë,M'), Buffer.from([0xfc])]);
    expect((await read(bytes)).cells).toEqual([['ZoÃ«', 'Mü']]);
  });

  test('a workbook, NUL characters and an empty file are refused for different reasons', async () => {
    expect(await details(() => read(Buffer.from('PK\u0003\u0004…')))).toContain('save it as CSV');
    expect(await details(() => read('Email\na\u0000b@example.org\n'))).toContain('NUL');
    expect(await details(() => read(''))).toContain('is empty');
    expect(await details(() => read('\ufeff \r\n\r\n'))).toContain('is empty');
  });
});

describe('rows', () => {
  test.each([
    ['comma', 'First name,Last name,Day\nAda,Lovelace,"fri;sat"\n', ','],
    ['semicolon', 'First name;Last name;Day\nAda;Lovelace;"fri,sat"\n', ';'],
    ['semicolon beside many commas', 'First name;Last name;"Note, if any, or more, please"\nAda;Lovelace;x\n', ';'],
    ['tab', 'First name\tLast name\tDay\nAda\tLovelace\tfri,sat\n', '\t'],
    ['what Excel says it is', 'sep=;\r\nFirst name;Last name\r\nAda;Lovelace\r\n', ';'],
    ['one column', 'Email\nada@example.org\n', ','],
  ])('delimiter: %s', async (_name, text, delimiter) => {
    expect((await read(text)).table.delimiter).toBe(delimiter);
  });

  test.each(['\n', '\r\n', '\r'])('lines end in %j', async (end) => {
    const { table, cells } = await read(`${['First name,Note', 'Ada,"a\nb"', 'Bob,'].join(end)}${end}`, 6);
    expect(table.headings).toEqual(['First name', 'Note']);
    expect(cells).toEqual([
      ['Ada', 'a\nb'],
      ['Bob', ''],
    ]);
  });

  test('all cells are read as they were written, in whatever pieces the file arrives', async () => {
    const cell = fc.stringMatching(/^[a-z"',;| \n\t=é€😀-]{0,8}$/u);
    const file = fc.record({
      rows: fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 20 }),
      delimiter: fc.constantFrom(',', ';', '\t'),
      newline: fc.constantFrom('\n', '\r\n'),
      size: fc.integer({ min: 1, max: 300 }),
    });
    await fc.assert(
      fc.asyncProperty(file, async ({ rows, delimiter, newline, size }) => {
        const all = [['First name', 'Last name', 'Email'], ...rows];
        const text = Papa.unparse(all, { delimiter, newline, quotes: true });
        const { cells } = await read(text, size);
        expect(cells).toEqual(rows.filter((row) => row.some((one) => one.trim() !== '')));
      }),
      { numRuns: 200 },
    );
  });

  test('empty rows are skipped, and rows are numbered as in a spreadsheet', async () => {
    const { rows } = await read('First name,Last name\nAda,L\n\n , \nBob,M\n');
    expect(rows.map((row) => row.number)).toEqual([2, 5]);
  });

  test('a missing quote in the last line spoils only that line', async () => {
    const { rows } = await read('First name,Last name\nAda,L\nBob,"M\n'.trimEnd());
    expect(rows[0]!.broken).toBeNull();
    expect(rows[1]).toMatchObject({ cells: ['Bob', 'M'], broken: 'A quote is opened and never closed.' });
  });

  test('a quote inside a quoted cell spoils its row', async () => {
    const { rows } = await read('First name,Last name\n"A"da",L\nBob,M\n');
    expect(rows.map((row) => row.broken)).toEqual(['A quoted cell contains a quote that is not doubled.', null]);
  });

  test('a quote that swallows other rows refuses the file and names the row', async () => {
    const many = 'Bob,M\n'.repeat(5);
    expect(await details(() => read(`First name,Last name\nAda,L\nEve,"N\n${many}`))).toContain('row 3');
    expect(await details(() => read(`First name,"Last name\nAda,L\n`))).toContain('row 1');
  });

  test('a quote that swallows a large file is found early', async () => {
    let pulled = 0;
    async function* endless() {
      yield 'First name,Last name\nAda,"L\n';
      for (; pulled < 1000; pulled += 1) yield 'x,y\n'.repeat(16_000);
    }
    const { rows } = await tableOf(endless());
    expect(await details(() => rows.next())).toContain('row 2');
    expect(pulled).toBeLessThan(50);
  });

  test('a file is closed when reading ends early', async () => {
    let open = 0;
    async function* texts(text: string) {
      open += 1;
      try {
        for (;;) yield text;
      } finally {
        open -= 1;
      }
    }
    const table = await tableOf(texts('First name,Last name\n'));
    await table.rows.next();
    expect(open).toBe(1);
    await table.close();
    expect(open).toBe(0);
    expect(await details(() => tableOf(texts(`${'a,'.repeat(200_000)}\n`)))).toContain('columns');
    expect(open).toBe(0);
  });

  test('300 columns are read, 1,001 are refused', async () => {
    const headings = (count: number) =>
      Array.from({ length: count }, (_, i) => (i === 0 ? 'Email' : `q${i}`)).join(',');
    expect((await read(`${headings(300)}\na@example.org\n`)).table.headings).toHaveLength(300);
    expect(await details(() => read(`${headings(1001)}\n`))).toContain('1001 columns');
  });
});

describe('headings', () => {
  // claim: import-headings
  test.each([
    ['first_name', ['First name', 'FIRSTNAME', 'first_name', ' Given-Name ', 'Vorname', 'Prénom', 'PRENOM', 'Nombre']],
    ['last_name', ['Last name', 'Surname', 'Nachname', 'Familienname', 'Nom', 'nom de famille', 'Apellidos']],
    ['name', ['Name', 'Full Name', 'Vollständiger Name', 'Nom complet', 'Nombre completo']],
    [
      'email',
      ['Email', 'E-Mail', 'e-mail address', 'E-Mail-Adresse', 'Courriel', 'Adresse e-mail', 'Correo electrónico'],
    ],
    ['phone', ['Phone', 'Mobile number', 'Telefon', 'Handynummer', 'Téléphone', 'Tél.', 'Teléfono', 'Móvil']],
    ['attendee_type', ['Type', 'Attendee Type', 'Ticketart', 'Kategorie', 'Catégorie', 'Tipo de entrada']],
    ['group', ['Group', 'Gruppe', 'Groupe', 'Grupo']],
    ['days', ['Day', 'days', 'Tag', 'Tage', 'Jour', 'Jours', 'Día', 'Dias']],
    ['date_of_birth', ['Date of birth', 'DOB', 'Birthday', 'Geburtsdatum', 'Date de naissance', 'Fecha de nacimiento']],
    ['external_id', ['ID', 'External ID', 'Member no.', 'Mitgliedsnummer', 'Identifiant', 'Número de socio']],
    [null, ['Shoe size', 'Status', 'Datum', '', '—']],
  ] as const)('%s', (field, headings) => {
    for (const heading of headings) expect([heading, fieldOf(heading)]).toEqual([heading, field]);
  });

  const question = (code: string, label: string, kind: QuestionKind = 'text', options: string[] | null = null) =>
    ({ id: code, code, label, kind, options, required: true, attendee_type_ids: null }) as QuestionRow;
  const field = (name: string) => ({ use: 'field', field: name });

  test('the word for a ticket is the type, unless another column is or a question has that name', () => {
    const became = (headings: string[], mapping = {}, questions: QuestionRow[] = []) =>
      columnsOf(headings, mapping, questions).map((column) => (column.use === 'field' ? column.field : column.use));
    for (const heading of ['Ticket', 'Eintrittskarte', 'Karte', 'Billet', 'Entrada'])
      expect([heading, became(['Email', heading])]).toEqual([heading, ['email', 'attendee_type']]);
    expect(became(['Email', 'Ticket', 'Type'])).toEqual(['email', 'answer', 'attendee_type']);
    expect(became(['Email', 'Ticket', 'X'], { X: 'attendee_type' })).toEqual(['email', 'answer', 'attendee_type']);
    expect(became(['Email', 'Ticket', 'Karte'])).toEqual(['email', 'attendee_type', 'answer']);
    expect(became(['Email', 'Ticket'], { Ticket: 'answer' })).toEqual(['email', 'answer']);
    expect(became(['Email', 'Ticket'], {}, [question('class', 'Ticket')])).toEqual(['email', 'answer']);
  });
  // claim: import-unknown-column
  test('a heading that matches no field is an answer under the code of the question it names, else under the trimmed heading', () => {
    const size = question('size', 'T-Shirt: Größe?');
    expect(
      columnsOf(['Email', ' Shoe size ', 't-shirt größe', 'SIZE!', 'Import_Error', ''], { 'SIZE!': 'ignore' }, [size]),
    ).toEqual([
      field('email'),
      { use: 'answer', key: 'Shoe size', question: null },
      { use: 'answer', key: 'size', question: size },
      { use: 'ignore' },
      { use: 'ignore' },
      { use: 'nameless' },
    ]);
  });

  test('the mapping makes a column the answer to a question of any name, and names one that is not there', () => {
    const questions = [question('diet', 'What do you eat?', 'choice', ['Vegan', 'All'])];
    expect(columnsOf(['Email', 'Essen'], { Essen: 'answers.DIET' }, questions)).toEqual([
      { use: 'field', field: 'email' },
      { use: 'answer', key: 'diet', question: questions[0] },
    ]);
    let refused: unknown;
    try {
      columnsOf(['Email', 'Essen'], { Essen: 'answers.meal' }, questions);
    } catch (error) {
      refused = (error as { options: { details: unknown } }).options.details;
    }
    expect(refused).toEqual([{ path: 'mapping/Essen', message: 'there is no question meal in this event' }]);
  });

  test('the mapping takes precedence', () => {
    const mapping = { 'spalte 1': 'first_name', Type: 'answer', X: 'ignore' } as const;
    expect(columnsOf(['Spalte-1', 'Type', 'X'], mapping, [])).toEqual([
      field('first_name'),
      { use: 'answer', key: 'Type', question: null },
      { use: 'ignore' },
    ]);
  });

  test('"Name" is the last name next to a first name, and both names without one', () => {
    expect(columnsOf(['Name', 'Vorname'], {}, [])).toEqual([field('last_name'), field('first_name')]);
    expect(columnsOf(['Name', 'Email'], {}, [])).toEqual([field('name'), field('email')]);
    expect(columnsOf(['Name', 'Vorname', 'Nachname'], {}, [])[0]).toMatchObject({ use: 'answer', key: 'Name' });
  });

  test('all faults are reported at once', async () => {
    const text = await details(() => columnsOf(['Email', 'E-Mail', 'Note', 'Note'], { Nope: 'email' }, []));
    expect(text).toContain('mapping/Nope');
    expect(text).toContain('\\"Email\\" and \\"E-Mail\\" mean the same');
    expect(text).toContain('\\"Note\\" occurs twice');
  });

  test('a first line without any known heading is refused', async () => {
    expect(await details(() => columnsOf(['Ada', 'Lovelace', 'ada@example.org'], {}, []))).toContain(
      'line of headings',
    );
  });

  describe('cells', () => {
    const row = (
      headings: string[],
      cells: string[],
      questions: QuestionRow[] = [],
      order: 'dmy' | 'mdy' | 'ymd' = 'dmy',
    ) => readRow({ number: 2, cells, broken: null, end: 0 }, columnsOf(headings, {}, questions), order);

    test('are trimmed and normalized; empty ones are left out', () => {
      expect(row(['First name', 'Email', 'Phone', 'Note'], [' Zoe\u0308 ', '', '  ', ' x '])).toEqual({
        first_name: 'Zoë',
        answers: { Note: 'x' },
        keys: { name: 'zoe', email: null, phone: null, external: null },
      });
    });

    test('lose the quote that guards them from being run as formulas', () => {
      expect(row(['First name', 'Phone', 'Note', 'Other'], ["'Ada", "'+49 30 1", "'=1+1", "''=1"])).toMatchObject({
        first_name: "'Ada",
        phone: '+49 30 1',
        answers: { Note: '=1+1', Other: "'=1" },
      });
    });

    test('with a full name are split into first and last name', () => {
      expect(row(['Name'], ['Ada King Lovelace'])).toMatchObject({ first_name: 'Ada King', last_name: 'Lovelace' });
      expect(row(['Name'], ['King Lovelace, Ada'])).toMatchObject({ first_name: 'Ada', last_name: 'King Lovelace' });
      const only = row(['Name'], ['Ada']) as ImportRow;
      expect([only.first_name, only.last_name]).toEqual([undefined, 'Ada']);
    });

    test.each([
      ['Email', 'ada at example', 'The value "ada at example" of email must be an e-mail address.'],
      [
        'Date of birth',
        '31/02/1990',
        'The value "31/02/1990" of date_of_birth is not a date in the order day, month, year.',
      ],
      ['First name', 'x'.repeat(201), 'must have at most 200 characters'],
      ['Phone', '1'.repeat(51), 'must have at most 50 characters'],
      ['Note', 'x'.repeat(5001), 'is too long'],
    ])('%s: a value that cannot be one is rejected', (heading, cell, words) => {
      expect(row([heading, 'ID'], [cell, '7'])).toMatchObject({
        code: 'invalid_value',
        words: expect.stringContaining(words),
      });
    });

    test('below a column without heading must be empty', () => {
      expect(row(['Email', ''], ['a@example.org', '', '', ''])).toMatchObject({ email: 'a@example.org' });
      expect(row(['Email'], ['a@example.org', 'b'])).toMatchObject({ code: 'broken_row' });
      expect(row(['Email', ' '], ['a@example.org', 'b'])).toMatchObject({ code: 'broken_row' });
      expect(row(['Email', 'Phone'], ['a@example.org'])).toMatchObject({ email: 'a@example.org' });
    });

    test('are read as answers by the kind of the question', () => {
      const questions = [
        question('vegan', 'Vegan?', 'yes_no'),
        question('age', 'Age', 'number'),
        question('size', 'Size', 'choice', ['Small', 'Groß']),
        question('tours', 'Tours', 'choices', ['Lake', 'Old, town']),
        question('arrival', 'Arrival', 'date'),
      ];
      const codes = questions.map((one) => one.code);
      const answers = (cells: string[]) =>
        (row(['Email', ...codes], ['a@example.org', ...cells], questions) as ImportRow).answers;
      expect(answers(['Ja', '12,5', 'gross', 'old, town', '3.4.2027'])).toEqual({
        vegan: true,
        age: 12.5,
        size: 'Groß',
        tours: ['Old, town'],
        arrival: '2027-04-03',
      });
      expect(answers(['non', '-3', 'SMALL', 'lake | Lake', '2027-04-03'])).toMatchObject({
        vegan: false,
        age: -3,
        tours: ['Lake'],
      });
      for (const [code, cell] of [
        ['vegan', 'perhaps'],
        ['age', '1,500'],
        ['size', 'XL'],
        ['tours', 'Lake;Moon'],
        ['arrival', 'May'],
      ]) {
        expect(row(['Email', code!], ['a@example.org', cell!], questions)).toMatchObject({ code: 'invalid_value' });
      }
    });

    test('are shortened between letters where a message quotes them', () => {
      const { words } = row(['Date of birth'], [`${'x'.repeat(58)}😀😀`]) as { words: string };
      expect(words.isWellFormed()).toBe(true);
    });

    test('below a heading like __proto__ are ordinary answers', () => {
      const { answers } = row(['Email', '__proto__'], ['a@example.org', 'x']) as ImportRow;
      expect(Object.entries(answers)).toEqual([['__proto__', 'x']]);
    });
  });
});

test.each([
  ['2026-11-05', 'mdy', '2026-11-05'],
  ['05/11/2026', 'dmy', '2026-11-05'],
  ['5.11.2026', 'dmy', '2026-11-05'],
  ['11/5/2026', 'mdy', '2026-11-05'],
  ['2026/11/05', 'ymd', '2026-11-05'],
  ['2026.11.5', 'dmy', '2026-11-05'],
  ['05/11/2026', 'ymd', null],
  ['31.04.2026', 'dmy', null],
  ['29.02.2028', 'dmy', '2028-02-29'],
  ['05/11/26', 'dmy', null],
  ['13/13/2026', 'mdy', null],
] as const)('the date %s, read as %s, is %s', (text, order, date) => expect(readDate(text, order)).toBe(date));

test('the file of rejects has the rows unchanged, in the same columns, each with its reason', async () => {
  const text = '\ufeffEmail;Note;import_error\r\n"a;b";" x";old\r\nc;"d ""e""";;more\r\n';
  const { table, reading, rows } = await read(text);
  async function* page() {
    yield rows.map((row) => ({ row, why: { number: row.number, code: 'invalid_value', words: 'No "good".' } }));
  }
  let out = '';
  for await (const chunk of rejectsFile(table, reading, page())) out += chunk.toString();
  expect(out).toBe(
    '\ufeff"Email";"Note";"import_error"\r\n"a;b";" x";"invalid_value: No ""good""."\r\n"c";"d ""e""";"invalid_value: No ""good"".";"more"\r\n',
  );
});
