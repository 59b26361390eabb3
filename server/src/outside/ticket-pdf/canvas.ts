import PDFDocument from 'pdfkit';
import { breakLines, cutUnseen, shorten } from './break-lines.ts';
import { widthOf } from './font-memory.ts';
import type { Face, Faces, Weight } from './fonts.ts';
import type { Qr } from './qr.ts';
import { isRightToLeft, type Run, runsOf } from './runs.ts';

export const INK = '#000000';
/** For labels. Its contrast on white is still 9:1, enough for sunlight and for a printer that is low on toner. */
export const MUTED = '#474b52';
export const HAIRLINE = '#9aa0a8';
export const PAPER = '#ffffff';

export interface Style {
  weight: Weight;
  size: number;
  /** The distance from one baseline to the next, as a multiple of the size. */
  leading?: number;
  color?: string;
  /** Added between letters, in points. */
  tracking?: number;
  features?: PDFKit.Mixins.OpenTypeFeatures[];
}

/** A line of a paragraph; `rtl` says that the paragraph runs from right to left. */
export interface Line {
  text: string;
  rtl: boolean;
}

/** Something of known height that can be drawn at any position. */
export interface Part {
  height: number;
  draw(x: number, y: number): void;
}

export interface TextOptions {
  maxLines?: number;
  /** `auto`: paragraphs that run from right to left are aligned to the right. */
  align?: 'left' | 'right' | 'center' | 'auto';
}

/** A pdfkit document that draws text of any script with the right fonts. */
export class Canvas {
  readonly doc: PDFKit.PDFDocument;
  readonly #faces: Faces;
  readonly #known = new Set<string>();

  constructor(options: PDFKit.PDFDocumentOptions, faces: Faces) {
    // We set margins and break lines ourselves. An empty font name keeps pdfkit from loading Helvetica.
    this.doc = new PDFDocument({ ...options, autoFirstPage: false, margin: 0, font: '' });
    this.#faces = faces;
  }

  #use(face: Face, size: number): PDFKit.PDFDocument {
    if (!this.#known.has(face.name)) {
      this.doc.registerFont(face.name, face.font as unknown as PDFKit.Mixins.PDFFontSource);
      this.#known.add(face.name);
    }
    return this.doc.font(face.name, size);
  }

  #features(run: Run, style: Style): PDFKit.Mixins.OpenTypeFeatures[] | undefined {
    return style.features ?? (run.rtl ? ['kern'] : undefined);
  }

  /**
   * pdfkit shapes word by word, in reading order. A right-to-left run must be shaped as a whole, which pdfkit does as soon as a
   * feature is named.
   */
  #runWidth(run: Run, style: Style): number {
    const features = this.#features(run, style);
    const words = features === undefined ? (run.text.match(/[^ ]* ?/g) ?? []) : [run.text];
    let width = run.text.length * (style.tracking ?? 0);
    for (const word of words) if (word !== '') width += widthOf(run.face.font, word, features) * style.size;
    return width;
  }

  width(text: string, style: Style, rtl = false): number {
    let width = 0;
    for (const run of runsOf(text, style.weight, this.#faces, rtl)) width += this.#runWidth(run, style);
    return width;
  }

  /** Draws one line with its baseline at `y`. Returns the `x` where it ends. */
  line(text: string, style: Style, x: number, y: number, rtl = false): number {
    // Arabic and Hindi cannot be searched or copied exactly, because several letters share one shape. The format's remedy
    // (ActualText) was tried: with pdfkit's transformations, poppler puts that text elsewhere on the page and reverses it.
    for (const run of runsOf(text, style.weight, this.#faces, rtl)) {
      const features = this.#features(run, style);
      this.#use(run.face, style.size)
        .fillColor(style.color ?? INK)
        .text(run.text, x, y, {
          lineBreak: false,
          baseline: 'alphabetic',
          characterSpacing: style.tracking ?? 0,
          ...(features !== undefined && { features }),
        });
      x += this.#runWidth(run, style);
    }
    return x;
  }

  lines(paragraph: string, style: Style, width: number, maxLines = Number.POSITIVE_INFINITY): Line[] {
    const text = cutUnseen(paragraph, (maxLines * width) / style.size);
    const rtl = isRightToLeft(text);
    const measure = (part: string) => this.width(part, style, rtl);
    const broken = breakLines(text, width, measure);
    const last = broken.length > maxLines ? broken.splice(maxLines - 1).join('') : undefined;
    if (last !== undefined) broken.push(shorten(last, width, measure));
    return broken.map((line) => ({ text: line.trimEnd(), rtl }));
  }

  /** Text broken into lines of a column. */
  text(text: string, style: Style, width: number, { maxLines, align = 'left' }: TextOptions = {}): Part {
    return this.setLines(this.lines(text, style, width, maxLines), style, width, align);
  }

  /** Lines that are already broken. */
  setLines(lines: Line[], style: Style, width: number, align: TextOptions['align'] = 'left'): Part {
    const step = lineHeight(style);
    return {
      height: lines.length * step,
      draw: (x, y) => {
        lines.forEach(({ text, rtl }, index) => {
          const free = align === 'left' ? 0 : width - this.width(text, style, rtl);
          const shift = align === 'center' ? free / 2 : align === 'right' || rtl ? free : 0;
          this.line(text, style, x + shift, y + index * step + baseline(style), rtl);
        });
      },
    };
  }

  /** Uses the largest of the sizes at which the text needs at most `maxLines`. At the smallest size the text is cut. */
  fit(text: string, style: Style, sizes: number[], width: number, maxLines: number): Part {
    for (const size of sizes) {
      const lines = this.lines(text, { ...style, size }, width, maxLines + 1);
      if (lines.length <= maxLines) return this.setLines(lines, { ...style, size }, width);
    }
    return this.text(text, { ...style, size: sizes.at(-1) ?? style.size }, width, { maxLines });
  }

  rule(width: number, color = INK, thickness = 1): Part {
    return { height: 0, draw: (x, y) => void this.doc.rect(x, y - thickness / 2, width, thickness).fill(color) };
  }

  /** `side` is the width of the modules themselves; the caller leaves `quietZone` free around them. */
  qr({ size, path }: Qr, side: number): Part {
    return {
      height: side,
      draw: (x, y) => {
        this.doc
          .save()
          .translate(x, y)
          .scale(side / size)
          .fillColor(INK);
        this.doc.addContent(`${path}\nf*`).restore();
      },
    };
  }
}

export const lineHeight = (style: Style): number => style.size * (style.leading ?? 1.3);
/** The baseline, measured from the top of the line, so that capitals (0.728 of the size high) are centred in the line. */
export const baseline = (style: Style): number => lineHeight(style) / 2 + style.size * 0.364;

export const gap = (height: number): Part => ({ height, draw: () => {} });

export const stack = (...parts: Part[]): Part => ({
  height: parts.reduce((sum, part) => sum + part.height, 0),
  draw: (x, y) => {
    for (const part of parts) {
      part.draw(x, y);
      y += part.height;
    }
  },
});
