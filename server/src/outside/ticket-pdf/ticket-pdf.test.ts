import { describe, expect, test } from 'vitest';
import { renderTicketPdf, renderTicketsPdf } from './render.ts';
import type { TicketFormat, TicketPrint } from './ticket.ts';
import { crowded, pictureOf, readQr, sample, textOf, wordsOf } from './ticket-pdf.support.ts';
import { hasTool } from './tools.support.ts';

const poppler = hasTool('pdftoppm') && hasTool('pdftotext');
const FORMATS: TicketFormat[] = ['a4', 'phone'];
const flat = (text: string) => text.replace(/\s+/g, ' ');

describe.each(FORMATS)('a ticket on %s', (format) => {
  test('is a PDF of vectors and text, without pictures', async () => {
    const pdf = await renderTicketPdf(sample, format);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.includes('/Subtype /Image')).toBe(false);
    expect(pdf.includes('/XObject')).toBe(false);
    expect(pdf.length).toBeLessThan(60_000);
  });

  test('is the same, byte for byte, when printed again', async () => {
    expect(await renderTicketPdf(sample, format)).toEqual(await renderTicketPdf(structuredClone(sample), format));
  });

  test.skipIf(!poppler)('shows a QR code that a decoder reads back', async () => {
    const longer = { ...sample, code: 'A1B2C3D4E5F6G7H8J9K0M1N2P3Q4R5S6T7V8W9X0' };
    for (const ticket of [sample, longer, { ...crowded, test: true }]) {
      const pdf = await renderTicketPdf(ticket, format);
      // 36 dpi is what a distant camera sees: three or four pixels per module.
      for (const dpi of [36, 100]) {
        expect((await readQr(pictureOf(pdf, 1, dpi))).map((qr) => qr.text)).toEqual([ticket.code]);
      }
    }
  });

  test.skipIf(!poppler)('fits 26 characters into 25 × 25 modules of which a quarter may be damaged', async () => {
    const [qr] = await readQr(pictureOf(await renderTicketPdf(sample, format)));
    expect(qr).toEqual({ text: sample.code, version: '2', level: 'Q' });
  });

  test.skipIf(!poppler)('names the event, the person, the days, the registration and the terms', async () => {
    const text = flat(textOf(await renderTicketPdf(sample, format)));
    for (const part of [
      'Nordic Fairs Association',
      'Bergen Summer Fair 2026',
      'Fri, 12 June – Sun, 14 June 2026',
      'Grieghallen, Bergen',
      'Attendee',
      'Ada Lovelace',
      'Exhibitor',
      'Fri, 12 June 2026',
      '09:00 – 18:00 · Opening day',
      'R-8KQ2M',
      '7K2M 9QX4 T8VR 3BNW',
      'J5H6 PDCZ 0Y',
      'This ticket admits the person named above.',
      'Please keep the code to yourself.',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('TEST');
  });

  test.skipIf(!poppler)('is marked as a test if it is one', async () => {
    expect(textOf(await renderTicketPdf({ ...sample, test: true }, format))).toMatch(/TEST\s+Not valid for admission/);
  });

  test.skipIf(!poppler)('keeps twelve long names, ten days and 3,000 characters of terms inside the page', async () => {
    const pdf = await renderTicketPdf({ ...crowded, test: true }, format);
    const { pages, words } = wordsOf(pdf);
    expect(words.length).toBeGreaterThan(400);
    for (const { text, page, box } of words) {
      const { width, height } = pages[page]!;
      const inside = box[0] >= 20 && box[1] >= 0 && box[2] <= width - 20 && box[3] <= height - 10;
      expect(inside, `${text} at ${box} on a page of ${width} × ${height}`).toBe(true);
    }
    const text = flat(words.map((word) => word.text).join(' '));
    expect(text.match(/Maximilian/g)).toHaveLength(6);
    expect(text).toContain('Tag ist möglich.');
    expect(text.match(/Wiedereinlass/g)).toHaveLength(33);
    expect(text).toContain('So., 21. Juni 2026');
  });

  test.skipIf(!poppler)('has no overlapping lines of text', async () => {
    const { words } = wordsOf(await renderTicketPdf(crowded, format));
    // The boxes are as high as the font's line; the letters take up only the middle half of them.
    const inked = words.map(({ text, page, box: [left, top, right, bottom] }) => {
      const quarter = (bottom - top) / 4;
      return { text, page, left, right, top: top + quarter, bottom: bottom - quarter };
    });
    const clashes = inked.flatMap((a, index) =>
      inked
        .slice(index + 1)
        .filter(
          (b) =>
            a.page === b.page &&
            a.left < b.right - 0.5 &&
            b.left < a.right - 0.5 &&
            a.top < b.bottom &&
            b.top < a.bottom,
        )
        .map((b) => `${a.text} / ${b.text}`),
    );
    expect(clashes).toEqual([]);
  });

  test.skipIf(!poppler)('says how many names it leaves out if there are too many for a page', async () => {
    const people = Array.from({ length: 200 }, (_, index) => ({ name: `Guest ${index}`, attendee_type: 'Adult' }));
    const { pages, words } = wordsOf(await renderTicketPdf({ ...sample, people }, format));
    const shown = words.filter((word) => /^\d+$/.test(word.text) && Number(word.text) < 150).length;
    expect(shown).toBeGreaterThan(15);
    expect(words.map((word) => word.text).join(' ')).toMatch(/and \d+ more/);
    for (const { page, box } of words) expect(box[3]).toBeLessThan(pages[page]!.height - 10);
  });

  test.skipIf(!poppler)('can be printed with a minimum of data', async () => {
    const event = { ...sample.event, venue: null, starts_at: null, ends_at: null, terms: null };
    const bare: TicketPrint = { ...sample, event, days: [], people: [{ name: 'X', attendee_type: '' }] };
    const pdf = await renderTicketPdf(bare, format);
    expect(flat(textOf(pdf))).toContain('Attendee X');
    expect((await readQr(pictureOf(pdf)))[0]?.text).toBe(bare.code);
  });
});

describe.skipIf(!poppler)('names of the world', () => {
  const named = async (name: string, language = 'en') =>
    renderTicketPdf(
      { ...sample, event: { ...sample.event, language }, people: [{ name, attendee_type: 'Adult' }] },
      'a4',
    );

  test.each([
    'Łukasz Żółkiewski',
    'Þórður Ægisson',
    'Đặng Thị Ngọc Ánh',
    'Ștefăniță Țîrlea',
    'Ζωή Παπαδοπούλου',
    'Дмитро Їжакевич',
    'გიორგი ბერიძე',
    'Արամ Խաչատրյան',
    '山田 太郎',
    '王小明',
    '김철수',
    'สมชาย',
  ])('%s is on the ticket', async (name) => {
    expect(textOf(await named(name))).toContain(name);
  });

  test.each(['שרה לוי', 'فاطمة علي', 'अमिताभ'])('%s is drawn in its own script, without boxes', async (name) => {
    const text = textOf(await named(name));
    expect(text).not.toContain('□');
    expect([...name].some((letter) => letter !== ' ' && text.includes(letter))).toBe(true);
  });

  test('a right-to-left name runs from right to left, including its words', async () => {
    // pdftotext gives the words of a right-to-left line in their order on the page; its version decides whether they are mirrored.
    const { words } = wordsOf(await named('שרה לוי'));
    const left = (letter: string) => words.find((word) => word.text.includes(letter))!.box[0];
    expect(left('ש')).toBeGreaterThan(left('ל'));
  });

  test('Han characters take the shapes of the event’s language', async () => {
    const chinese = (await named('直美')).toString('latin1');
    const japanese = (await named('直美', 'ja')).toString('latin1');
    expect(chinese).toContain('noto-sans-sc');
    expect(japanese).toContain('noto-sans-jp');
    expect((await named('直美 なおみ')).toString('latin1')).toContain('noto-sans-jp');
  });

  test('a character that no font has is drawn as a box, and emoji are left out', async () => {
    const text = textOf(await named('Ada \u{13080} Lovelace 🎉👩🏽‍🚀'));
    expect(text).toContain('Ada □ Lovelace');
  });

  test('a name cannot change the direction of the ticket or break its line', async () => {
    expect(textOf(await named('Eve\u202e\r\n\u0000 Mallory\u2066'))).toContain('Eve Mallory');
  });
});

describe.skipIf(!poppler)('the words', () => {
  const text = async (language: string, terminology?: Record<string, string>) =>
    flat(
      textOf(
        await renderTicketPdf(
          {
            ...sample,
            event: { ...sample.event, language },
            organization: { ...sample.organization, ...(terminology && { terminology }) },
          },
          'a4',
        ),
      ),
    );

  test.each([
    ['en', 'Attendee', 'Fri, 12 June 2026'],
    ['en-US', 'Attendee', 'Fri, June 12, 2026'],
    ['de', 'Teilnehmer:in', 'Fr., 12. Juni 2026'],
    ['de-AT', 'Anmeldung', 'Fr., 12. Juni 2026'],
    ['fr', 'Valable le', 'Ven. 12 juin 2026'],
    ['es', 'Condiciones', 'Vie, 12 de junio de 2026'],
    ['it', 'Attendee', 'Ven 12 giugno 2026'],
    ['xx-nonsense', 'Attendee', 'Fri, 12 June 2026'],
  ])('of %s: %s, %s', async (language, word, date) => {
    const shown = await text(language);
    expect(shown).toContain(word);
    expect(shown).toContain(date);
  });

  test('are the organization’s own in English, but not in other languages', async () => {
    const own = { attendee: 'guest', ticket: 'pass', registration: 'booking' };
    const english = await text('en', own);
    for (const word of ['Guest', 'Pass', 'Booking']) expect(english).toContain(word);
    expect(english).not.toContain('Attendee');
    expect(await text('de', own)).not.toContain('Guest');
  });

  test('hours are local to the event, and a day from midnight to midnight shows none', async () => {
    expect(await text('en')).toContain('09:00 – 18:00');
    const days = [
      { name: '2026-06-12', date: '2026-06-12', opens_at: '2026-06-11T22:00:00Z', closes_at: '2026-06-12T22:00:00Z' },
    ];
    const shown = textOf(await renderTicketPdf({ ...sample, days }, 'a4'));
    expect(shown).not.toContain('00:00');
    expect(shown).not.toContain('2026-06-12');
  });
});

describe('several tickets', () => {
  test.skipIf(!poppler)('have a page each, with their own codes', async () => {
    const tickets = ['01', '02', '03'].map((end) => ({ ...sample, code: `7K2M9QX4T8VR3BNWJ5H6PDCZ${end}` }));
    for (const format of FORMATS) {
      const pdf = await renderTicketsPdf(tickets, format);
      expect(wordsOf(pdf).pages).toHaveLength(3);
      const read = await Promise.all([1, 2, 3].map((page) => readQr(pictureOf(pdf, page))));
      expect(read.map(([qr]) => qr?.text)).toEqual(tickets.map((ticket) => ticket.code));
    }
  });

  test('an empty list is an error of the caller', async () => {
    await expect(renderTicketsPdf([], 'a4')).rejects.toThrow('no tickets');
  });
});
