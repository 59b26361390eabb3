import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Bench } from '../bench/support.ts';
import { signal } from '../server/src/embedded/process.ts';
import { freePort } from '../test/support/running.ts';
import { Link } from './link.ts';
import type { Place } from './place.ts';
import { Program } from './program.ts';

const PASSWORD = 'drill';

/**
 * One machine of the cluster: PostgreSQL and the Patroni beside it. Whoever talks to it, and to whom it talks, goes over a link, so that
 * the machine can be cut off from all others.
 */
export interface Node {
  name: string;
  /** From HAProxy. */
  postgresql: Link;
  patroni: Link;
  /** From the other node. */
  peer: { postgresql: Link; patroni: Link };
  patroniPort: number;
  /** PostgreSQL itself, past every link: what the drill looks at. */
  url: string;
  /** What this node says of itself: `primary`, `replica`; null if it does not answer. */
  role(): Promise<string | null>;
  start(): void;
  kill(): Promise<void>;
  freeze(): void;
  wake(): void;
  /** No other machine hears of it any more, nor it of any other. */
  cutOff(other: Node): void;
  rejoin(other: Node): void;
}

interface Where {
  bench: Bench;
  place: Place;
  programs: string;
  etcdPort: number;
}

export async function startNode({ bench, place, programs, etcdPort }: Where, name: string): Promise<Node> {
  const [postgresqlPort, patroniPort] = [await freePort(), await freePort()];
  const links = {
    postgresql: await Link.open(postgresqlPort),
    patroni: await Link.open(patroniPort),
    etcd: await Link.open(etcdPort),
  };
  const peer = { postgresql: await Link.open(postgresqlPort), patroni: await Link.open(patroniPort) };
  const all = [...Object.values(links), ...Object.values(peer)];
  bench.later(() => {
    for (const link of all) link.close();
  });
  const data = join(place.root, `postgresql-${name}`);
  const loopback = (port: number) => `127.0.0.1:${port}`;
  const file = place.configuration('patroni.yml', `patroni-${name}.yml`, {
    NODE: name,
    NETWORK: '127.0.0.1/32',
    ETCD_HOSTS: loopback(links.etcd.port),
    PATRONI_LISTEN: loopback(patroniPort),
    PATRONI_ADDRESS: loopback(peer.patroni.port),
    POSTGRESQL_LISTEN: loopback(postgresqlPort),
    POSTGRESQL_ADDRESS: loopback(peer.postgresql.port),
    POSTGRESQL_BIN: programs,
    POSTGRESQL_DATA: data,
    POSTGRESQL_SOCKETS: place.folder(`sockets-${name}`),
    SUPERUSER_PASSWORD: PASSWORD,
    REPLICATION_PASSWORD: PASSWORD,
    REWIND_PASSWORD: PASSWORD,
  });
  // PostgreSQL outlives a killed Patroni, and is a process of its own.
  const postmaster = (): number | null => {
    try {
      const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data) ? pid : null;
    } catch {
      return null;
    }
  };
  bench.later(() => {
    const pid = postmaster();
    if (pid !== null) for (const one of familyOf(pid)) signal(one, 'SIGKILL');
  });
  // Otherwise it would ask etcd for its address, and find the way around the link.
  const env = { PATRONI_ETCD3_HOSTS: loopback(links.etcd.port), PATRONI_ETCD3_USE_PROXIES: 'true' };
  const patroni = new Program(bench, place.logs, { name: `patroni-${name}`, command: ['patroni', file], env });
  const processes = () => {
    const pid = postmaster();
    return [...familyOf(patroni.pid), ...(pid === null ? [] : familyOf(pid))];
  };
  return {
    name,
    ...links,
    peer,
    patroniPort,
    url: `postgres://postgres:${PASSWORD}@127.0.0.1:${postgresqlPort}/postgres`,
    role: () => roleOf(patroniPort),
    start: () => patroni.start(),
    kill: async () => {
      const pids = processes();
      for (const pid of pids) signal(pid, 'SIGKILL');
      await patroni.kill();
    },
    freeze: () => {
      for (const pid of processes()) signal(pid, 'SIGSTOP');
    },
    wake: () => {
      for (const pid of processes()) signal(pid, 'SIGCONT');
    },
    cutOff: (other) => {
      for (const link of [...all, ...Object.values(other.peer)]) link.cut();
    },
    rejoin: (other) => {
      for (const link of [...all, ...Object.values(other.peer)]) link.heal();
    },
  };
}

async function roleOf(port: number): Promise<string | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/patroni`, { signal: AbortSignal.timeout(1000) });
    const { role, state } = (await answer.json()) as { role: string; state: string };
    return state !== 'running' && state !== 'streaming' ? state : role === 'master' ? 'primary' : role;
  } catch {
    return null;
  }
}

/** A process and all that come from it. */
function familyOf(pid: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
      parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
    } catch {
      // It has ended.
    }
  }
  const found = [pid];
  for (const one of found) found.push(...(parents.get(one) ?? []));
  return found;
}

/** Resolves with the time at which this node has committed a write. A standby, or a node that is not there, is asked again. */
export async function whenWritable(node: Node, until: number): Promise<number | null> {
  while (performance.now() < until) {
    const client = new pg.Client({ connectionString: node.url, connectionTimeoutMillis: 500, query_timeout: 1000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('insert into drill_beats default values');
      return performance.now();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    } finally {
      void client.end().catch(() => {});
    }
  }
  return null;
}
