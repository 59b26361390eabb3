import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** "::ffff:192.0.2.1" is 192.0.2.1: a dual-stack socket must not make a rule miss. */
const parse = (text: string): Address | null => (ipaddr.isValid(text) ? ipaddr.process(text) : null);

/** An address or a range of a key; null when it is neither. */
export function parseRange(text: string): [Address, number] | null {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
  } catch {
    return null;
  }
  // ipaddr.js takes "10.1" and "0x7f.1" for addresses; in a rule that is a typing mistake.
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
