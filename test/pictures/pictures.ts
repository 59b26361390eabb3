import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { launchBrowser, requireApps } from '../support/apps.ts';
import { cleanUp, freePort, newFolder, ROOT, serve } from '../support/running.ts';
import { hasTool } from '../support/tools.ts';
import { Camera } from './camera.ts';
import { takeEventDay } from './event-day.ts';
import { takeFirstEvent } from './first-event.ts';
import { takePeople } from './people-in-and-out.ts';
import { takeScanner } from './scanner.ts';
import { takeScreens } from './screens.ts';

/**
 * `npm run pictures` takes the pictures of the guides again, by doing what the guides say in a browser: it presses the buttons that they
 * name, so it fails where a guide is no longer true. A person runs it after screens have changed and looks at the pictures before they
 * are committed; no test compares them.
 *
 * It starts Turnout with a data folder of its own, at a time that never changes, so that the dates on the pictures stay the same.
 */
const TIME = '2027-06-11T08:40:00Z';

if (!hasTool('chromium')) process.exit(1);
const { values } = parseArgs({ options: { to: { type: 'string', default: join(ROOT, 'docs/pictures') } } });
const offset = Date.parse(TIME) - Date.now();
const movedDate = fileURLToPath(new URL('../support/moved-date.mjs', import.meta.url));

await requireApps();
const port = String(await freePort());
const home = `http://localhost:${port}`;
const server = await serve({
  ...{ DATA_DIR: newFolder(), PORT: port, PUBLIC_URL: home },
  ...{ DATE_OFFSET_MS: String(offset), NODE_OPTIONS: `--import=${movedDate}` },
});
const browser = await launchBrowser();
const cameras: Camera[] = [];
const openCamera = async () => {
  const camera = await Camera.open(browser, home, values.to, offset);
  cameras.push(camera);
  return camera;
};
try {
  const linkTo = (what: string) => new RegExp(`${home}(/app/-/${what}#\\S+)`).exec(server.stdout)![1]!;
  const owner = await openCamera();
  await takeFirstEvent(owner, linkTo('start'));
  await takePeople(owner);
  const manager = await openCamera();
  await takeEventDay(manager, linkTo('sandbox'));
  await takeScreens(manager, owner);
  const scanner = await takeScanner(browser, values.to);
  const taken = [...cameras.flatMap((camera) => camera.taken), ...scanner];
  const kilobytes = Math.round(taken.reduce((sum, { bytes }) => sum + bytes, 0) / 1000);
  console.log(`${taken.length} pictures, ${kilobytes} kB, in ${values.to}`);
} catch (error) {
  const failed = join(tmpdir(), 'turnout-picture-failed.png');
  await cameras.at(-1)?.page.screenshot({ path: failed, fullPage: true });
  console.error(`The last page is in ${failed}.`);
  throw error;
} finally {
  await browser.close();
  server.signal('SIGTERM');
  await server.ended;
  await cleanUp();
}
