import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import decompress from 'woff2-encoder/decompress';
import { embeddable, instanceOf, readable } from './font-instance.ts';
import { remembering } from './font-memory.ts';
import { hanOrder, type Slice, slicesFor } from './font-slices.ts';

export type Weight = 'regular' | 'strong' | 'display';

/** A font of one weight, with the name under which it is registered with pdfkit. */
export interface Face {
  name: string;
  font: Font;
}

const require = createRequire(import.meta.url);

// The fonts on npm are WOFF2, which pdfkit cannot embed (the glyphs come out blank). Unpacking takes 5 to 40 ms per font, once.
async function open(file: string): Promise<Font> {
  const packed = await readFile(require.resolve(file));
  return create(Buffer.from(await decompress(packed))) as Font;
}

const prepared = (font: Font, features?: Record<string, boolean>) => remembering(embeddable(readable(font)), features);

// Inter covers Latin, Greek and Cyrillic. It has one design for text and one for large sizes.
const INTER: Record<Weight, string> = {
  regular: 'inter-ui/web/Inter-Regular.woff2',
  strong: 'inter-ui/web/Inter-SemiBold.woff2',
  display: 'inter-ui/display/InterDisplay-SemiBold.woff2',
};
const NOTO_WEIGHTS: Record<Weight, number> = { regular: 400, strong: 600, display: 600 };

let inter: Promise<Record<Weight, Face>> | undefined;
const interFaces = () => {
  inter ??= Promise.all(
    Object.entries(INTER).map(async ([weight, file]) => [
      weight,
      { name: `inter-${weight}`, font: prepared(await open(file), { calt: false }) },
    ]),
  ).then((faces) => Object.fromEntries(faces));
  return inter;
};

/** An open file of a script's font. Its weights are made when they are first used. */
type OpenSlice = (weight: Weight) => Face;
/**
 * The fonts for Chinese, Japanese and Korean have about a hundred files each. Opening one takes 2 to 6 ms of processor time, and
 * keeping it about 400 kB. As many as one document may use stay open, so that the same letters cost this time only once.
 */
const KEPT_SLICES = 128;
/** How many files one document may use. All Chinese letters together are in 101. Letters beyond are drawn as missing. */
const SLICES_PER_DOCUMENT = 128;
/**
 * How many different letters of these fonts one document may use. Each takes about a quarter of a millisecond to draw and embed. A
 * Chinese text of 5,000 letters uses about 900 different ones, so only somebody who tries to is ever shown a box instead.
 */
const LETTERS_PER_DOCUMENT = 2000;
const slices = new Map<string, Promise<OpenSlice>>();

function openSlice({ id, file }: Slice): Promise<OpenSlice> {
  const known = slices.get(id);
  if (known !== undefined) {
    slices.delete(id);
    slices.set(id, known);
    return known;
  }
  const opening = open(file).then((variable): OpenSlice => {
    const faces = new Map<number, Face>();
    return (weight) => {
      const wght = NOTO_WEIGHTS[weight];
      let face = faces.get(wght);
      if (face === undefined) {
        const name = `${id}-${wght}`;
        face = { name, font: prepared(instanceOf(variable, wght, name)) };
        faces.set(wght, face);
      }
      return face;
    };
  });
  slices.set(id, opening);
  opening.catch(() => slices.delete(id));
  for (const [oldest] of slices) {
    if (slices.size <= KEPT_SLICES) break;
    slices.delete(oldest);
  }
  return opening;
}

/** The loaded fonts that a set of texts needs. */
export interface Faces {
  main(weight: Weight): Face;
  /** The face that has this character; undefined if none of our fonts has it. */
  of(codePoint: number, weight: Weight): Face | undefined;
}

export async function facesFor(texts: Iterable<string>, language: string): Promise<Faces> {
  const main = await interFaces();
  const foreign = new Set<number>();
  for (const text of texts) {
    for (const character of text) {
      const codePoint = character.codePointAt(0) as number;
      if (codePoint > 0x7e && !main.regular.font.hasGlyphForCodePoint(codePoint)) foreign.add(codePoint);
    }
  }
  const from = await slicesOf(foreign, language);
  return {
    main: (weight) => main[weight],
    of: (codePoint, weight) => (foreign.has(codePoint) ? from.get(codePoint)?.(weight) : main[weight]),
  };
}

/**
 * Opens the files that have these characters, each of them once. When every character looked for its file by itself, 20,000
 * different letters pushed each other's files out of the memory of open ones, and one ticket took 40 s of processor time.
 */
async function slicesOf(codePoints: ReadonlySet<number>, language: string): Promise<Map<number, OpenSlice>> {
  const han = hanOrder(codePoints, language);
  const from = new Map<number, OpenSlice>();
  const opened = new Map<string, OpenSlice>();
  for (const codePoint of codePoints) {
    if (from.size === LETTERS_PER_DOCUMENT) break;
    for (const slice of slicesFor(codePoint, han)) {
      let open = opened.get(slice.id);
      if (open === undefined) {
        if (opened.size === SLICES_PER_DOCUMENT) continue;
        open = await openSlice(slice);
        opened.set(slice.id, open);
      }
      // A package's ranges name a few characters that its font does not have.
      if (!open('regular').font.hasGlyphForCodePoint(codePoint)) continue;
      from.set(codePoint, open);
      break;
    }
  }
  return from;
}
