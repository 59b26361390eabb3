import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Reads "::ffff:192.0.2.1" as 192.0.2.1, because a dual-stack socket reports IPv4 addresses like that. */
const parse = (text: string): Address | null => (ipaddr.isValid(text) ? ipaddr.process(text) : null);

/** An address or a range of addresses that a key may be used from. Null if the text is neither. */
export function parseRange(text: string): [Address, number] | null {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
  } catch {
    return null;
  }
  // ipaddr.js accepts "10.1" and "0x7f.1" as addresses. Here they are typing mistakes.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  const address = parse(text);
  return address === null ? null : [address, address.kind() === 'ipv4' ? 32 : 128];
}

export function addressAllowed(address: string, ranges: readonly string[] | null): boolean {
  if (ranges === null || ranges.length === 0) return true;
  const from = parse(address);
  if (from === null) return false;
  return ranges.some((text) => {
    const range = parseRange(text);
    return range !== null && range[0].kind() === from.kind() && from.match(range as never);
  });
}
