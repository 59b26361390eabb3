/** How the values of examples are written in a programming language. */
interface Language {
  text: (value: string) => string;
  words: Readonly<Record<'true' | 'false' | 'null', string>>;
  key: (name: string) => string;
  /** Between a name and its value. */
  colon: string;
  indent: string;
  /** Around the fields of an object that are on one line. */
  space: string;
  /** Whether a last argument that needs several lines begins on the line of the call. */
  hugs: boolean;
}

const WIDTH = 92;
const quoted = (value: string): string => JSON.stringify(value);

export const TYPESCRIPT: Language = {
  text: (value) => `'${quoted(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  words: { true: 'true', false: 'false', null: 'null' },
  key: (name) => (/^[a-z_$][\w$]*$/i.test(name) ? name : `'${name}'`),
  colon: ': ',
  indent: '  ',
  space: ' ',
  hugs: true,
};

export const PYTHON: Language = {
  text: quoted,
  words: { true: 'True', false: 'False', null: 'None' },
  key: quoted,
  colon: ': ',
  indent: '    ',
  space: '',
  hugs: false,
};

/** The value as a literal. What is short stays on one line; `margin` is the indentation of the line on which it begins. */
export function literal(value: unknown, language: Language, margin = ''): string {
  if (typeof value === 'string') return language.text(value);
  if (typeof value !== 'object' || value === null) return language.words[String(value) as 'null'] ?? String(value);
  const open = Array.isArray(value) ? '[' : '{';
  const close = Array.isArray(value) ? ']' : '}';
  const inner = margin + language.indent;
  const parts = (at: string): string[] =>
    Array.isArray(value)
      ? value.map((one) => literal(one, language, at))
      : Object.entries(value).map(
          ([name, one]) => `${language.key(name)}${language.colon}${literal(one, language, at)}`,
        );
  const space = Array.isArray(value) ? '' : language.space;
  const line = `${open}${space}${parts('').join(', ')}${space}${close}`;
  if (!line.includes('\n') && margin.length + line.length <= WIDTH) return line;
  return `${open}\n${parts(inner)
    .map((part) => `${inner}${part},\n`)
    .join('')}${margin}${close}`;
}

type Argument = (margin: string) => string;

/** The arguments of a call, on one line if they fit behind `before`. Else the last one opens on that line if it is an object (`hugs`). */
export function argumentsOf(given: readonly Argument[], before: string, { indent, hugs }: Language): string {
  const line = `(${given.map((one) => one('')).join(', ')})`;
  const [first = ''] = line.split('\n');
  const fits = before.length + first.length <= WIDTH;
  if (fits && (!line.includes('\n') || (hugs && /[{[]$/.test(first)))) return line;
  return `(\n${given.map((one) => `${indent}${one(indent)},\n`).join('')})`;
}
