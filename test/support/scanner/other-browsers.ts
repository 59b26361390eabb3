import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Browsers that are opened on a page and left alone: the page does its work and tells the server. */
export interface OtherBrowser {
  readonly name: string;
  /** What has to be installed. */
  readonly needs: readonly string[];
  /** Opens the page. Answers with how to close the browser. */
  open(url: string): Promise<() => Promise<void>>;
}

export const FIREFOX: OtherBrowser = {
  name: 'Firefox',
  needs: ['firefox-esr'],
  open: async (url) => {
    const profile = mkdtempSync(join(tmpdir(), 'turnout-firefox-'));
    // Nothing is asked and nothing is fetched from elsewhere.
    const settings = {
      ...{ 'datareporting.policy.dataSubmissionEnabled': false, 'browser.shell.checkDefaultBrowser': false },
      ...{ 'app.normandy.enabled': false, 'network.captive-portal-service.enabled': false },
      ...{ 'browser.aboutwelcome.enabled': false, 'toolkit.telemetry.enabled': false },
    };
    const lines = Object.entries(settings).map(([name, value]) => `user_pref("${name}", ${value});`);
    writeFileSync(join(profile, 'user.js'), lines.join('\n'));
    const browser = start('firefox-esr', ['--headless', '--no-remote', '--profile', profile, url], { HOME: profile });
    return async () => {
      await end(browser);
      rmSync(profile, { recursive: true, force: true });
    };
  },
};

/** The browser that comes with WebKit for GTK. It needs a screen, which Xvfb pretends to be. */
export const WEBKIT: OtherBrowser = {
  name: 'WebKit',
  needs: ['Xvfb', 'WebKitWebDriver'],
  open: async (url) => {
    const home = mkdtempSync(join(tmpdir(), 'turnout-webkit-'));
    const screen = await startScreen();
    const browser = start(miniBrowser(), ['--private', url], {
      ...{ DISPLAY: screen.display, HOME: home, XDG_RUNTIME_DIR: home, NO_AT_BRIDGE: '1' },
      // Its sandbox needs rights that a container does not give; the only page that it opens is ours.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    });
    return async () => {
      await end(browser);
      await end(screen.process);
      rmSync(home, { recursive: true, force: true });
    };
  },
};

function miniBrowser(): string {
  const found = ['/usr/lib', ...readdirSync('/usr/lib').map((folder) => `/usr/lib/${folder}`)]
    .flatMap((folder) => ['webkit2gtk-4.1', 'webkit2gtk-4.0'].map((version) => `${folder}/${version}/MiniBrowser`))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error('MiniBrowser is not where the package webkit2gtk-driver puts it.');
  return found;
}

/** Xvfb chooses a free display and writes its number. */
async function startScreen(): Promise<{ display: string; process: ChildProcess }> {
  const process = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const number = await new Promise<string>((resolve, reject) => {
    process.stdout!.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()));
    process.once('exit', () => reject(new Error('Xvfb did not start.')));
  });
  return { display: `:${number}`, process };
}

// In a process group of its own, so that its helpers end with it.
const start = (command: string, options: string[], environment: Record<string, string>): ChildProcess =>
  spawn(command, options, { stdio: 'ignore', detached: true, env: { PATH: process.env.PATH, ...environment } });

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    process.kill(-child.pid!, 'SIGKILL');
  });
}
