/**
 * What long strings are made of, as JSON writes it. Each is what some reader of outside text goes through more than once:
 * expressions that go back, placeholders, Markdown, addresses, dates, CSV, what normalizing makes longer, what PostgreSQL
 * does not store.
 */
export const WORDS: Readonly<Record<string, string>> = {
  letters: 'x',
  'four-byte characters': '😀',
  'combining marks': 'a\u0301\u0301\u0301\u0301\u0301\u0301\u0301',
  'what grows when its case changes': 'İßŉ',
  'invisible characters': '\u200b\u2060\ufeff',
  'U+0000': '\\u0000',
  'half surrogate pairs': '\\ud83d',
  spaces: ' ',
  'line breaks': '\\r\\n',
  'open placeholders': '{{',
  'open placeholders on lines of their own': '{{\\n',
  'placeholders without an end': '{{first_name|',
  'unknown placeholders': '{{a}}',
  'open links': '[x](',
  'open brackets': '[',
  'open emphasis': '**a *b _c ',
  headings: '# ',
  'at signs': 'a@',
  dots: 'a.',
  quotes: '\\"',
  'quotes and separators': '\\",\\";\\"',
  digits: '1',
  dates: '2026-11-15T',
  'phone numbers': '+49 (30) ',
  'addresses of pages': 'https://a.',
  'percent signs': '%00',
  backslashes: '\\\\',
  tags: '<a href=',
  formulas: ';=1+',
  'encoded words': '=?utf-8?q?',
  hyphens: '-',
};

/** Too long a string gets no further than its schema, so of those only what formats and patterns go through. */
export const WORDS_OF_FORMATS: readonly string[] = [
  'letters',
  'four-byte characters',
  'combining marks',
  'U+0000',
  'half surrogate pairs',
  'spaces',
  'at signs',
  'dots',
  'digits',
  'dates',
  'hyphens',
];
