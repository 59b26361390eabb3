import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../bench/support.ts';
import { ROOT } from '../test/support/running.ts';
import { type Owner, owner } from './program.ts';

/** Where the files of one drill are: configurations, data and logs. */
export class Place {
  readonly root: string;
  readonly logs: string;
  readonly #owner: Owner = owner();

  /** It is removed at the end, unless the logs of it are to be kept. */
  constructor(bench: Bench, isKept: boolean) {
    this.root = mkdtempSync(join(tmpdir(), 'turnout-drill-'));
    if (isKept) bench.say(`data and logs stay in ${this.root}`);
    else bench.later(() => rmSync(this.root, { recursive: true, force: true, maxRetries: 5 }));
    this.#give(this.root);
    this.logs = this.folder('logs');
  }

  folder(name: string): string {
    const path = join(this.root, name);
    mkdirSync(path, { mode: 0o700 });
    this.#give(path);
    return path;
  }

  file(name: string, text: string): string {
    const path = join(this.root, name);
    writeFileSync(path, text, { mode: 0o600 });
    this.#give(path);
    return path;
  }

  /** A file of deploy/high-availability, the same that operators use, with its names filled in. */
  configuration(template: string, name: string, values: Readonly<Record<string, string | number>>): string {
    const text = readFileSync(join(ROOT, 'deploy', 'high-availability', template), 'utf8');
    const filled = text.replaceAll(/^(?!\s*[#;]).*$/gm, (line) =>
      line.replaceAll(/\$\{(\w+)\}/g, (_, key: string) => {
        if (values[key] === undefined) throw new Error(`${template}: nothing is known of ${key}`);
        return String(values[key]);
      }),
    );
    return this.file(name, filled);
  }

  #give(path: string): void {
    if (process.getuid?.() === 0) chownSync(path, this.#owner.uid, this.#owner.gid);
  }
}
