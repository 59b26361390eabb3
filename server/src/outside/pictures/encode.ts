import sharp, { type Sharp } from 'sharp';
import { MAX_MEGAPIXELS, type MadePicture, type PictureKind, type Unusable } from './order.ts';

const WIDTHS = [1600, 960, 480] as const;
/** So that a strip of 1 × 40,000 pixels does not become a file of that height. */
const HIGHEST = 2;
const SHARE = { width: 1200, height: 630 };
const LOGO = { width: 480, height: 160 };
const [QUALITY, WHITE] = [82, '#ffffff'];

// libvips reads many formats, some of which load other files or run for long. Only three of its readers are left.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });
sharp.cache(false);
sharp.concurrency(1);

/**
 * Makes new pictures of the pixels of the file, and of nothing else in it: no place where it was taken, no name, no thumbnail, no
 * script behind the last byte. They are turned as the camera was held and have the colours of sRGB.
 */
export async function encode(source: Buffer, kind: PictureKind): Promise<MadePicture | Unusable> {
  try {
    return kind === 'image' ? await imageOf(source) : await logoOf(source);
  } catch (error) {
    const { message } = error as Error;
    if (message.includes('unsupported image format')) return 'not_picture';
    return message.includes('pixel limit') ? 'too_many_pixels' : 'damaged';
  }
}

/** Only the first picture of several in one file. A file that ends too early is an error, not a picture that is grey below. */
const read = (source: Buffer): Sharp =>
  sharp(source, {
    limitInputPixels: MAX_MEGAPIXELS * 1_000_000,
    failOn: 'error',
    pages: 1,
    sequentialRead: true,
  })
    .autoOrient()
    .toColourspace('srgb');

async function imageOf(source: Buffer): Promise<MadePicture> {
  const share = await read(source)
    .resize({ ...SHARE, fit: 'cover' })
    .flatten({ background: WHITE })
    .jpeg({ quality: QUALITY })
    .toBuffer();
  const largest = await within(read(source), WIDTHS[0]).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = largest.info;
  const webp = (most: number): Promise<Buffer> =>
    within(sharp(largest.data, { raw: { width, height, channels } }), most)
      .webp({ quality: QUALITY })
      .toBuffer();
  const [image, small, tiny] = WIDTHS;
  return {
    width,
    height,
    files: [
      { use: 'image', type: 'image/webp', bytes: await webp(image) },
      { use: 'small', type: 'image/webp', bytes: await webp(small) },
      { use: 'tiny', type: 'image/webp', bytes: await webp(tiny) },
      { use: 'share', type: 'image/jpeg', bytes: share },
    ],
  };
}

const within = (picture: Sharp, width: number): Sharp =>
  picture.resize({ width, height: width * HIGHEST, fit: 'inside', withoutEnlargement: true });

async function logoOf(source: Buffer): Promise<MadePicture> {
  const { data, info } = await read(source)
    .resize({ ...LOGO, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { width, height, files: [{ use: 'logo', type: 'image/png', bytes: data }] };
}
