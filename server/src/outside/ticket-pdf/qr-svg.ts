import { Html, html } from '../mail-templates/markup.ts';
import { qrOf } from './qr.ts';

/** The light border that the standard requires, in modules. */
const QUIET = 4;

/** The ticket's QR code for a page: black on white, sharp at every size, about 2 kB. */
export function qrSvg(code: string, label: string): Html {
  const { size, path } = qrOf(code);
  const drawn = path
    .split('\n')
    .map((step) =>
      step
        .replace(/^(\d+ \d+) m$/, 'M$1')
        .replace(/^(\d+ \d+) l$/, 'L$1')
        .replace(/^h$/, 'Z'),
    )
    .join('');
  const side = size + 2 * QUIET;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" role="img" aria-label="${label}"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" fill-rule="evenodd" transform="translate(${QUIET} ${QUIET})" d="${new Html(drawn)}"/></svg>`;
}
