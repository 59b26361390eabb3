import sharp from 'sharp';

/** A picture to be uploaded: a shore at dusk, as far as four stripes can tell. */
export async function picture(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const stripe = (background: string, top: number) => ({
    input: { create: { width: 1200, height: 200, channels: 3 as const, background } },
    ...{ left: 0, top },
  });
  const buffer = await sharp({ create: { width: 1200, height: 675, channels: 3, background: '#f2b277' } })
    .composite([stripe('#d9776a', 175), stripe('#35526e', 330), stripe('#1d3348', 475)])
    .png()
    .toBuffer();
  return { name: 'shore.png', mimeType: 'image/png', buffer };
}
