/** The first letters of the first and the last word of a name, in place of a picture. */
export function initials(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  const chosen = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return chosen.map((word) => [...word][0]!.toLocaleUpperCase()).join('');
}
