/** The sites in a text with one to a line. An origin has no slash at its end, and people copy it with one. */
export const originsIn = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim().replace(/\/+$/, ''))
      .filter((line) => line !== ''),
  ),
];
