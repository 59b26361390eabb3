import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

const RED = { r: 200, g: 30, b: 30 };
const BLUE = { r: 30, g: 30, b: 200 };

/** Red above, blue below. */
export function flag(width: number, height: number): Sharp {
  const half = { create: { width, height: Math.ceil(height / 2), channels: 3 as const, background: BLUE } };
  return sharp({ create: { width, height, channels: 3, background: RED } }).composite([
    { input: half, gravity: 'south' },
  ]);
}

export const jpeg = (width = 640, height = 400): Promise<Buffer> => flag(width, height).jpeg().toBuffer();

/** A photo of a phone that was held sideways: it says where it was taken, and with what. */
export const photo = (): Promise<Buffer> =>
  flag(640, 400)
    .withMetadata({ orientation: 6 })
    .withExif({
      IFD0: { Make: 'Secretphone', Artist: 'Ada Lovelace' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '52/1 31/1 12/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '13/1 24/1 18/1',
      },
    })
    .jpeg()
    .toBuffer();

/** Noise is hard to compress, so this is a large file of few pixels. */
export const noise = (width: number, height: number): Sharp =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });

const chunk = (type: string, data: Buffer): Buffer => {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  const named = Buffer.concat([Buffer.from(type), data]);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};

/** A PNG of a hundred bytes that says it has so many pixels. */
export function bomb(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8); // eight bits, colours
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const idat = chunk('IDAT', deflateSync(Buffer.alloc(10)));
  return Buffer.concat([signature, chunk('IHDR', head), idat, chunk('IEND', Buffer.alloc(0))]);
}

export const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><script>alert(1)</script>
<image href="file:///etc/passwd" width="100" height="100"/></svg>`;
