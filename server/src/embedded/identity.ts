import type { SpawnOptions } from 'node:child_process';
import { lchown, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedError } from './error.ts';

/**
 * PostgreSQL refuses to run as root. So root switches to an unprivileged uid, which cannot enter a clone or a DATA_DIR below a
 * folder with mode 0700. We tried the following on Linux 6.18 with PostgreSQL 18.4:
 *
 * - `-D .` from an inherited working directory: fails. PostgreSQL makes the path absolute and walks it from the root.
 * - `-D /proc/self/cwd`: works for initdb, the server and every child. libuv does chdir() before setuid(), the kernel
 *   follows that link straight to the folder without checking the folders above, and PostgreSQL uses only relative paths
 *   afterwards. It needs no capability beyond setuid, so it also works in a Docker container. This is what we do.
 * - `unshare --user --map-user`: works, and root's own files stay root's. But many containers forbid it, and a PostgreSQL
 *   that is root outside its namespace is less safe than one without rights. We use it only if root may not change its uid
 *   (one id mapped, or no CAP_SETUID).
 * - a bind mount in a mount namespace of its own: needs CAP_SYS_ADMIN, which containers do not have.
 *
 * The programs cannot be reached the same way, because $ORIGIN and share/ are looked up by absolute path. binaries.ts copies them.
 */
export type Identity =
  | { kind: 'self' }
  | { kind: 'drop'; uid: number; gid: number }
  /** A user namespace in which this user has another uid. */
  | { kind: 'map' };

// No other program on the machine uses this uid, while `nobody` and `postgres` may be shared with other services. It is above UID_MAX
// of login.defs, below systemd's dynamic users and within the 65536 ids of a rootless container.
const OWN_ID = 60_935;
const NOBODY = 65_534;

export async function chooseIdentity(dataDir: string, cluster: string): Promise<Identity> {
  if (process.getuid?.() !== 0) return { kind: 'self' };
  // The owner of the folder stays its owner, so that somebody who once started Turnout as root can continue without root.
  for (const path of [cluster, dataDir]) {
    const found = await stat(path).catch(() => null);
    if (found && found.uid !== 0) return { kind: 'drop', uid: found.uid, gid: found.gid || found.uid };
  }
  return { kind: 'drop', uid: OWN_ID, gid: OWN_ID };
}

/** Unlike the server, initdb needs a user that is in /etc/passwd. If ours is not, it runs as one that is. */
export async function identityForInit(identity: Identity): Promise<Identity> {
  if (identity.kind !== 'drop') return identity;
  const users = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((user) => user.uid > 0 && user.gid > 0);
  const user = users.find(({ uid }) => uid === identity.uid) ?? users.find(({ name }) => name === 'nobody') ?? users[0];
  if (!user)
    throw new EmbeddedError(
      '/etc/passwd has no user but root, and PostgreSQL refuses to run as root. Run as another user, or set DATABASE_URL.',
    );
  return { kind: 'drop', uid: user.uid, gid: user.gid };
}

interface Command {
  file: string;
  args: string[];
  options: SpawnOptions;
}

export function commandAs(identity: Identity, file: string, args: string[], cwd: string): Command {
  // The caller's PG* variables, locale and time zone must not reach the server.
  const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
  if (identity.kind === 'map') {
    const mapped = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--', file, ...args];
    return { file: 'unshare', args: mapped, options: { cwd, env } };
  }
  const ids = identity.kind === 'drop' ? { uid: identity.uid, gid: identity.gid } : {};
  return { file, args, options: { cwd, env, ...ids } };
}

/** The value of -D for a process whose working directory is the cluster. */
export function dataArgument(identity: Identity, cluster: string): string {
  return identity.kind === 'drop' && process.platform === 'linux' ? '/proc/self/cwd' : cluster;
}

export async function giveTo(identity: Identity, path: string): Promise<void> {
  if (identity.kind === 'drop') await lchown(path, identity.uid, identity.gid);
}

export async function giveTreeTo(identity: Identity, path: string): Promise<void> {
  if (identity.kind !== 'drop') return;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await giveTreeTo(identity, join(path, entry.name));
    else await giveTo(identity, join(path, entry.name));
  }
  await giveTo(identity, path);
}
