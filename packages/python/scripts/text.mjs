// Names and texts in Python's spelling, for the generator of this package.

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** `attendeeTypes` becomes `attendee_types`. */
export const snake = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');

/** `check_in_points` and `checkInPoints` become `CheckInPoints`. */
export const camel = (name) =>
  name
    .split(/[_.-]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

/** A name that Python keeps for itself gets an underscore at its end, as PEP 8 says. */
export const safe = (name) => (KEYWORDS.has(name) ? `${name}_` : name);
export const isPlain = (name) => /^[a-z_][a-z0-9_]*$/i.test(name) && !KEYWORDS.has(name);

/** A value as Python writes it. */
export function literal(value) {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

const WIDTH = 100;

/** Breaks a text into lines that fit, each paragraph and each line break of its own. */
export function wrapped(text, indent) {
  const width = WIDTH - indent.length;
  return text
    .trim()
    .split('\n')
    .flatMap((paragraph) => {
      const lines = [];
      let line = '';
      for (const word of paragraph.split(' ')) {
        if (line !== '' && line.length + 1 + word.length > width) {
          lines.push(line);
          line = word;
        } else line = line === '' ? word : `${line} ${word}`;
      }
      return [...lines, line];
    })
    .map((line) => (line === '' ? '' : indent + line));
}

/** A docstring, indented. `parts` are paragraphs; each is wrapped or, if it is a list of lines, taken as it is. */
export function docstring(parts, indent) {
  const lines = parts
    .filter((part) => part !== undefined && part.length > 0)
    .flatMap((part, i) => [...(i === 0 ? [] : ['']), ...(Array.isArray(part) ? part : wrapped(part, indent))])
    .map((line) => line.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"'));
  const first = lines[0].slice(indent.length);
  if (lines.length === 1 && !first.endsWith('"')) return [`${indent}"""${first}"""`];
  return [`${indent}"""${first}`, ...lines.slice(1), `${indent}"""`];
}
