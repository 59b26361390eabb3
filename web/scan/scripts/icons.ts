// `node web/scan/scripts/icons.ts` draws the icons of the home screen from public/icon.svg. Run it when the drawing has changed, and
// commit what it writes.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const at = (name: string) => new URL(`../public/${name}`, import.meta.url);
const svg = readFileSync(at('icon.svg'), 'utf8');
// Systems cut a maskable icon to a shape of their own, and Apple rounds the corners: both need the colour up to the edge.
const toTheEdge = svg.replace(' rx="112"', '');
const inTheMiddle = toTheEdge.replace('<g ', '<g transform="translate(256 256) scale(.8) translate(-256 -256)" ');

const executablePath = execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
const browser = await chromium.launch({ executablePath });
try {
  for (const [name, size, drawing] of [
    ['icon-192.png', 192, svg],
    ['icon-512.png', 512, svg],
    ['icon-maskable-512.png', 512, inTheMiddle],
    ['apple-touch-icon.png', 180, toTheEdge],
  ] as const) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px}</style>${drawing}`);
    writeFileSync(at(name), await page.screenshot({ omitBackground: true }));
    await page.close();
  }
} finally {
  await browser.close();
}
