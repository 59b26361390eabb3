import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIREFOX, WEBKIT } from './support/scanner/other-browsers.ts';
import { CAMERA, drawScenes, type Scene } from './support/scanner/scenes.ts';
import { type Site, startSite } from './support/scanner/site.ts';
import { hasTool } from './support/tools.ts';

describe.skipIf(!hasTool('pdftoppm'))('tickets in other browsers', { timeout: 400_000 }, () => {
  let scenes: Scene[];
  let site: Site;
  beforeAll(async () => {
    scenes = await drawScenes(undefined, 0, 1);
    site = await startSite({
      '/stills.json': Buffer.from(JSON.stringify({ ...CAMERA, count: scenes.length })),
      '/stills.bin': Buffer.concat(scenes.map(({ pictures }) => pictures[0]!)),
    });
  }, 300_000);
  afterAll(() => site?.close());

  describe.each([FIREFOX, WEBKIT])('$name', ({ open, needs }) => {
    test.skipIf(!needs.every(hasTool))(
      'every ticket is read by the worker, whichever way it is handed over',
      async () => {
        const reported = site.report();
        const close = await open(`${site.url}?stills`);
        try {
          const found = (await reported) as Record<string, string[][]>;
          console.log(Object.keys(found).join(', '));
          const codes = scenes.map(({ code }) => [code]);
          expect(Object.keys(found)).toEqual(expect.arrayContaining(['ImageBitmap', 'ImageData']));
          expect(found).toEqual(Object.fromEntries(Object.keys(found).map((way) => [way, codes])));
        } finally {
          await close();
        }
      },
    );
  });
});
