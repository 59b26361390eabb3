import { encode } from 'uqr';

interface Drawing {
  path: string;
  modules: number;
}
let last: { text: string; drawing: Drawing } | undefined;

/**
 * The dark modules of a QR code as one path, row by row, and how many modules it is wide, with its margin. The last one is kept: finding
 * the best pattern takes an old laptop 30 ms, and what shows a code is drawn again whenever something beside it changes.
 */
function qrPath(text: string): Drawing {
  if (last?.text !== text) last = { text, drawing: drawCode(text) };
  return last.drawing;
}

function drawCode(text: string): Drawing {
  const { data, size: modules } = encode(text, { ecc: 'M', border: 4 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return { path, modules };
}

/** A QR code as a drawing, dark on white in every theme, because that is what cameras read. `label` says what it is. */
export function QrCode({ text, label, size = '12rem' }: { text: string; label: string; size?: string }) {
  const { path, modules } = qrPath(text);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules} ${modules}`}
      width={size}
      height={size}
      style={{ maxWidth: '100%', height: 'auto' }}
    >
      <rect width={modules} height={modules} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

/** The same as a file for a poster: it can be made as large as needed. */
export function qrFile(text: string): string {
  const { path, modules } = qrPath(text);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${modules} ${modules}" shape-rendering="crispEdges">` +
    `<rect width="${modules}" height="${modules}" fill="#fff"/><path d="${path}"/></svg>`;
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

/** How many pixels of a picture one module has: a poster as wide as a hand stays sharp. */
const PIXELS = 24;

/** The same as a PNG, for programs that do not read drawings, as an address that can be downloaded. */
export function qrPicture(text: string): string {
  const { data, size: modules } = encode(text, { ecc: 'M', border: 4 });
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = modules * PIXELS;
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  data.forEach((row, y) => {
    row.forEach((dark, x) => {
      if (dark) context.fillRect(x * PIXELS, y * PIXELS, PIXELS, PIXELS);
    });
  });
  return canvas.toDataURL('image/png');
}
