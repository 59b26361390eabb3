import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Address } from '../addresses.ts';

export type Resolve = (host: string) => Promise<Address[]>;

/** The hosts file is read again after this time. */
const HOSTS_FRESH_MS = 5_000;

/**
 * Finds all addresses of a name: those in the hosts file or, if there are none, those that the system's name servers answer.
 *
 * `dns.lookup` is not used. It waits in libuv's thread pool, where two of the four threads serve it. Two names whose servers never
 * answer would hold up every other lookup of the process, and with it every delivery.
 */
export function systemResolver(options: { servers?: readonly string[]; hostsFile?: string } = {}): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (options.servers !== undefined) resolver.setServers(options.servers);
  const inHostsFile = hostsFile(options.hostsFile ?? '/etc/hosts');

  return async (host) => {
    const known = inHostsFile(host);
    if (known.length > 0) return known;
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    // Some servers answer with an error for a family that the name does not have, so one family is enough.
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [
      ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 as const })),
      ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 as const })),
    ];
  };
}

function hostsFile(path: string): (host: string) => Address[] {
  let entries: (Address & { names: string[] })[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  return (host) => {
    if (performance.now() - readAt > HOSTS_FRESH_MS) {
      entries = parseHosts(read(path));
      readAt = performance.now();
    }
    return entries.filter(({ names }) => names.includes(host)).map(({ address, family }) => ({ address, family }));
  };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // not every system has a hosts file at this path
  }
}

const parseHosts = (text: string) =>
  text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    const family = isIP(address);
    return family === 4 || family === 6 ? [{ address, family: family as 4 | 6, names }] : [];
  });
