import { Html, html } from '../mail-templates/markup.ts';
import { matrixOf } from './qr.ts';

/** The light border that the standard requires, in modules. */
const QUIET = 4;

/**
 * The ticket's QR code for a page: black on white, sharp at every size, about 2 kB. It is one path of horizontal bars, which takes a
 * tenth of the time of outlines (measured). `crispEdges` keeps browsers from smoothing the edges, which would leave light lines between
 * the bars.
 */
export function qrSvg(code: string, label: string): Html {
  const { size, darkSquares } = matrixOf(code);
  const side = size + 2 * QUIET;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" d="${new Html(barsOf(darkSquares, size))}"/></svg>`;
}

function barsOf(dark: readonly (readonly boolean[])[], size: number): string {
  let path = '';
  for (let y = 0; y < size; y += 1) {
    const row = dark[y]!;
    for (let x = 0; x < size; x += 1) {
      if (row[x] !== true) continue;
      let end = x + 1;
      while (row[end] === true) end += 1;
      path += `M${x + QUIET} ${y + QUIET}h${end - x}v1h${x - end}z`;
      x = end;
    }
  }
  return path;
}
