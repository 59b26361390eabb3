import sharp from 'sharp';

/** The same shore as an address, for answers that are made up. */
export const COVER = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 675" preserveAspectRatio="none"><rect width="1200" height="675" fill="#f2b277"/><rect y="175" width="1200" height="500" fill="#d9776a"/><rect y="330" width="1200" height="345" fill="#35526e"/><rect y="475" width="1200" height="200" fill="#1d3348"/></svg>',
)}`;

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
