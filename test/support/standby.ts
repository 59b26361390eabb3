import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provision } from '../../server/src/embedded/provision.ts';
import { runSql } from './database.ts';

const LIB = '/usr/lib/postgresql';

/** A PostgreSQL of the system, and a standby of it that follows it by streaming. Each listens on a socket in a folder of its own. */
export interface Pair {
  url: string;
  adminUrl: string;
  standbyUrl: string;
  standbyAdminUrl: string;
  /** What the standby was asked, as its log says it. */
  askedOfStandby(): string;
  stopStandby(): void;
  startStandby(): void;
  end(): void;
}

export async function startPair(): Promise<Pair> {
  const version = readdirSync(LIB).sort((a, b) => Number(b) - Number(a))[0]!;
  const folder = mkdtempSync(join(tmpdir(), 'turnout-pair-'));
  const owner = process.getuid?.() === 0 ? statOfPostgres() : null;
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o700);
  // Root may not run PostgreSQL.
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(LIB, version, 'bin', program), args, { stdio: 'ignore', cwd: folder, ...owner });
  const at = (name: string) => ({ data: join(folder, name), socket: folder, port: name === 'primary' ? 6001 : 6002 });
  const start = (name: string) => {
    const { data, socket, port } = at(name);
    const options = `-c listen_addresses='' -c unix_socket_directories='${socket}' -p ${port} -c max_wal_senders=4 -c log_statement=all`;
    run('pg_ctl', 'start', '-w', '-D', data, '-l', `${data}.log`, '-o', options);
  };
  const stop = (name: string) => {
    try {
      run('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', at(name).data);
    } catch {
      // It does not run.
    }
  };
  const urlOf = (name: string, user: string, database: string) =>
    `postgres://${user}@${encodeURIComponent(folder)}:${at(name).port}/${database}`;
  const end = () => {
    stop('standby');
    stop('primary');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    run('initdb', '-D', at('primary').data, '-U', 'admin', '-A', 'trust', '-E', 'UTF8', '--locale=C');
    start('primary');
    await provision(urlOf('primary', 'admin', 'postgres'));
    // As docs/operating/database.md says for PostgreSQL 15.
    await runSql(urlOf('primary', 'admin', 'postgres'), 'alter role turnout noinherit');
    await runSql(urlOf('primary', 'admin', 'turnout'), 'alter schema public owner to turnout');
    for (const role of ['turnout_app', 'turnout_system']) {
      await runSql(urlOf('primary', 'admin', 'turnout'), `create role ${role} nologin noinherit`);
      await runSql(urlOf('primary', 'admin', 'turnout'), `grant ${role} to turnout`);
    }
    const { data } = at('standby');
    run('pg_basebackup', '-h', folder, '-p', '6001', '-U', 'admin', '-D', data, '-R', '-X', 'stream', '-c', 'fast');
    start('standby');
  } catch (error) {
    end();
    throw error;
  }
  return {
    url: urlOf('primary', 'turnout', 'turnout'),
    adminUrl: urlOf('primary', 'admin', 'turnout'),
    standbyUrl: urlOf('standby', 'turnout', 'turnout'),
    standbyAdminUrl: urlOf('standby', 'admin', 'turnout'),
    askedOfStandby: () => readFileSync(`${at('standby').data}.log`, 'utf8'),
    stopStandby: () => stop('standby'),
    startStandby: () => start('standby'),
    end,
  };
}

/** The package makes this folder, and its user. */
function statOfPostgres(): { uid: number; gid: number } {
  const { uid, gid } = statSync('/var/lib/postgresql');
  return { uid, gid };
}
