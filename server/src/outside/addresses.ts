import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseRange } from '../road/addresses.ts';

type Range = NonNullable<ReturnType<typeof parseRange>>;

/** An https URL that says plainly where it leads. */
export interface Target {
  origin: string;
  /** A name, or an address without brackets. */
  host: string;
  port: number;
  /** With the query. */
  path: string;
  literal: boolean;
}

const LONGEST = 2048;
const LABEL = /^[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?$/;
/** Names that only a resolver nearby knows: those of mDNS, of private networks, of this machine. */
const NEARBY = ['local', 'internal', 'localhost', 'home.arpa'];

/**
 * Reads the text as it was written. `URL` would make 127.0.0.1 of `2130706433`, `0x7f.1`, `0177.0.0.1`, `127.1`, full-width
 * digits, `%31%32%37.0.0.1` and hosts with tabs in them; so a host must come out of it as it went in.
 */
export function readTarget(text: string): Target | { refused: string } {
  const refused = (why: string) => ({ refused: why });
  if (text.length > LONGEST) return refused(`the URL is longer than ${LONGEST} characters`);
  if (!/^[\x21-\x7e]+$/.test(text)) {
    return refused('the URL may only have printable ASCII: names as xn--…, everything else percent-encoded');
  }
  const authority = /^https:\/\/([^/?#]*)/i.exec(text)?.[1];
  if (authority === undefined) return refused('the URL does not begin with https://');
  if (authority.includes('@')) return refused('the URL has a user or a password in it');
  const [, host, port] = /^(\[[\da-f:.]*\]|[^:[\]]*)(?::([1-9]\d{0,4}))?$/i.exec(authority) ?? [];
  if (!host) return refused('the URL does not name a host, or a host and a port');
  if (host.endsWith('.')) return refused('the host ends in a dot');

  const url = URL.parse(text);
  if (url === null) return refused('the URL cannot be read');
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
  if (url.hostname !== bare) return refused(`the host is not written plainly: it means ${url.hostname}`);
  if (literal) return target;

  const labels = bare.split('.');
  if (!labels.every((label) => LABEL.test(label)) || bare.length > 253) return refused('the host is not a name');
  if (labels.length === 1) return refused(`${bare} is a name of one part, which means something only nearby`);
  const nearby = NEARBY.find((suffix) => bare === suffix || bare.endsWith(`.${suffix}`));
  return nearby === undefined ? target : refused(`names under .${nearby} are not public`);
}

export interface Address {
  address: string;
  family: 4 | 6;
}

/** Networks that a self-hoster named; a wrong one is a fault of the configuration. */
export function parseNetworks(texts: readonly string[]): Range[] {
  return texts.map((text) => {
    const range = parseRange(text);
    if (range === null) throw new Error(`${text} is neither an address nor a network`);
    return range;
  });
}

/**
 * The addresses of one host, each spelled the one way that `canonical` does, if all of them may be sent to. One that may not
 * forbids all: a name with a public and a private address is a mistake or an attack.
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

/** The same text for the same address, whoever spelled it; null: not an address. */
export const canonical = (text: string): string | null => parse(text)?.toString() ?? null;

// A zone (`fe80::1%eth0`) is an interface of this machine.
const parse = (text: string) => (isIP(text) === 0 || text.includes('%') ? null : ipaddr.parse(text));

/** Public by its number, but inside every virtual machine of Azure the host's own services answer there. */
const AZURE_HOST = '168.63.129.16';
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

function mayBeSentTo(address: ipaddr.IPv4 | ipaddr.IPv6, allowed: readonly Range[]): boolean {
  const within = ([network, bits]: Range) => network.kind() === address.kind() && address.match(network as never, bits);
  if (allowed.some(within)) return true;
  if (address.range() !== 'unicast' || address.toString() === AZURE_HOST) return false;
  // ipaddr.js takes ::7f00:1 and ::5efe:7f00:1, which are 127.0.0.1 in old clothes, for unicast.
  return address.kind() === 'ipv4' || within(GLOBAL_UNICAST);
}
