import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseRange } from '../common/addresses.ts';

type Range = NonNullable<ReturnType<typeof parseRange>>;

/** Where an https URL leads, if it is written in the usual way. */
export interface Target {
  origin: string;
  /** A name in lower case, or an address without brackets. */
  host: string;
  port: number;
  /** Includes the query. */
  path: string;
  /** Whether the host is an address. */
  literal: boolean;
}

const LONGEST_URL = 2048;
const LABEL = /^[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?$/;
/** The ends of names that mean something only in the local network (mDNS, private networks) or on this machine. */
const LOCAL_SUFFIXES = ['local', 'internal', 'localhost', 'home.arpa'];

/**
 * Parses a URL, and refuses disguised hosts.
 *
 * `URL` turns `2130706433`, `0x7f.1`, `0177.0.0.1`, `127.1`, full-width digits, `%31%32%37.0.0.1` and hosts with tabs in them into
 * 127.0.0.1. So a host is accepted only if `URL` leaves it as it was written.
 */
export function readTarget(text: string): Target | { refused: string } {
  const refused = (why: string) => ({ refused: why });
  if (text.length > LONGEST_URL) return refused(`the URL is longer than ${LONGEST_URL} characters`);
  if (!/^[\x21-\x7e]+$/.test(text)) {
    return refused(
      'the URL may contain only printable ASCII; write names of other scripts as xn--… and percent-encode everything else',
    );
  }
  const authority = /^https:\/\/([^/?#]*)/i.exec(text)?.[1];
  if (authority === undefined) return refused('the URL does not begin with https://');
  if (authority.includes('@')) return refused('the URL contains a user or a password');
  const [, host, port] = /^(\[[\da-f:.]*\]|[^:[\]]*)(?::([1-9]\d{0,4}))?$/i.exec(authority) ?? [];
  if (!host) return refused('the URL does not name a host, or its port is not valid');
  if (host.endsWith('.')) return refused('the host ends in a dot');

  const url = URL.parse(text);
  if (url === null) return refused('the URL cannot be parsed');
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  const literal = isIP(bare) !== 0;
  const target = {
    origin: url.origin,
    host: bare,
    port: Number(port ?? 443),
    path: url.pathname + url.search,
    literal,
  };
  if (literal && host.startsWith('[')) return target;
  if (url.hostname !== bare) return refused(`the host is a disguised spelling of ${url.hostname}`);
  if (literal) return target;

  const labels = bare.split('.');
  if (!labels.every((label) => LABEL.test(label)) || bare.length > 253) return refused('the host is not a valid name');
  if (labels.length === 1) return refused(`${bare} is a name without a dot, which is not public`);
  const local = LOCAL_SUFFIXES.find((suffix) => bare === suffix || bare.endsWith(`.${suffix}`));
  return local === undefined ? target : refused(`names under .${local} are not public`);
}

export interface Address {
  address: string;
  family: 4 | 6;
}

/** Parses the networks of the configuration; throws if one of them is not valid. */
export function parseNetworks(texts: readonly string[]): Range[] {
  return texts.map((text) => {
    const range = parseRange(text);
    if (range === null) throw new Error(`${text} is neither an address nor a network`);
    return range;
  });
}

/**
 * The addresses of one host, each in its canonical form, if webhooks may be sent to all of them. One forbidden address forbids the
 * host: a name with both a public and a private address is a mistake or an attack.
 */
export function vet(addresses: readonly string[], allowed: readonly Range[]): Address[] | { refused: string } {
  const vetted: Address[] = [];
  for (const text of addresses) {
    const address = parse(text);
    if (address === null || !mayBeSentTo(address, allowed)) return { refused: `the address ${text} is not public` };
    vetted.push({ address: address.toString(), family: address.kind() === 'ipv4' ? 4 : 6 });
  }
  return vetted;
}

/** One text for all spellings of an address; null if the text is not an address. */
export const canonical = (text: string): string | null => parse(text)?.toString() ?? null;

// An address with a zone (`fe80::1%eth0`) names an interface of this machine, so it is not accepted.
const parse = (text: string) => (isIP(text) === 0 || text.includes('%') ? null : ipaddr.parse(text));

/** This address looks public, but inside every virtual machine of Azure, services of the host answer there. */
const AZURE_HOST = '168.63.129.16';
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

function mayBeSentTo(address: ipaddr.IPv4 | ipaddr.IPv6, allowed: readonly Range[]): boolean {
  const within = ([network, bits]: Range) => network.kind() === address.kind() && address.match(network as never, bits);
  if (allowed.some(within)) return true;
  if (address.range() !== 'unicast' || address.toString() === AZURE_HOST) return false;
  // ipaddr.js calls ::7f00:1 and ::5efe:7f00:1 unicast, but they are old forms of 127.0.0.1.
  return address.kind() === 'ipv4' || within(GLOBAL_UNICAST);
}
