/** A code made from a name: `Müller & Söhne e. V.` becomes `mueller-soehne-e-v`. Empty if nothing of the name can be used. */
export function codeOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[äöüßæøåœ]/g, (letter) => LETTERS[letter]!)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
}
const LETTERS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  å: 'a',
  œ: 'oe',
};
