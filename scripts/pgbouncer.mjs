// PgBouncer 1.21 or newer: this system's own, else that of Debian 13, unpacked into a folder of its own. Only tests and drills call this.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, say } from './install.mjs';

const DEBIAN = 'trixie';
const FOLDER = join(root, 'node_modules', '.cache', `turnout-pgbouncer-${DEBIAN}`);
const program = (folder) => join(folder, 'pgbouncer');

/** The version of a PgBouncer, as [major, minor]; null if it does not run. */
export function versionOf(command) {
  const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  const found = status === 0 ? /PgBouncer (\d+)\.(\d+)/.exec(stdout) : null;
  return found === null ? null : [Number(found[1]), Number(found[2])];
}

/** Since 1.21 it knows prepared statements in transaction mode. */
const isNew = (version) => version !== null && (version[0] > 1 || version[1] >= 21);

/** The command that runs it; null where there is none, and with `install` only where it cannot be had either. */
export async function newPgbouncer({ install = false } = {}) {
  if (isNew(versionOf('pgbouncer'))) return 'pgbouncer';
  if (install && !existsSync(FOLDER)) await unpack();
  return isNew(versionOf(program(FOLDER))) ? program(FOLDER) : null;
}

/**
 * Debian's packages are fetched, checked against Debian's signatures and unpacked by mmdebstrap; nothing is installed. The program is
 * started by the loader beside it, because it needs a newer libc than this system has.
 */
async function unpack() {
  say(`fetching PgBouncer from Debian ${DEBIAN} (once) …`);
  mkdirSync(join(FOLDER, '..'), { recursive: true });
  const made = mkdtempSync(`${FOLDER}-making-`);
  const files = join(made, 'root');
  const quiet = ['--quiet', '--variant=extract', '--include=pgbouncer'];
  const code = await run('mmdebstrap', [...quiet, DEBIAN, files, 'http://deb.debian.org/debian'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const libraries = code === 0 ? librariesOf(files) : null;
  if (libraries !== null) {
    const inside = `$here/root/usr/lib/${libraries}`;
    const loader = readdirSync(join(files, 'usr', 'lib', libraries)).find((name) => /^ld-linux.*\.so/.test(name));
    const lines = [
      '#!/bin/sh',
      'here=$(dirname "$(readlink -f "$0")")',
      `exec "${inside}/${loader}" --library-path "${inside}" "$here/root/usr/sbin/pgbouncer" "$@"`,
    ];
    writeFileSync(program(made), `${lines.join('\n')}\n`);
    // It refuses to run as root, so others must be able to read it.
    for (const path of [made, program(made)]) chmodSync(path, 0o755);
    if (!existsSync(FOLDER)) renameSync(made, FOLDER);
  }
  rmSync(made, { recursive: true, force: true });
  if (code >= 128) process.exit(code);
}

/** The folder of the libraries is named after the processor. */
const librariesOf = (files) =>
  readdirSync(join(files, 'usr', 'lib')).find((name) => name.endsWith('-linux-gnu')) ?? null;
