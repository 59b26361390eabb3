import { encode } from 'uqr';

/** A QR code as a drawing, dark on white in every theme, because that is what cameras read. `label` says what it is. */
export function QrCode({ text, label, size = '12rem' }: { text: string; label: string; size?: string }) {
  const { data, size: modules } = encode(text, { ecc: 'M', border: 4 });
  // One path of all dark modules, row by row.
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
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
