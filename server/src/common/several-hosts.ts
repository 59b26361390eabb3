/** `postgres://user@a:5432,b:5432/turnout` names two servers, as libpq reads it. Each gets an address of its own. */
export function hostsOf(url: string): string[] {
  const [, before, hosts, after] = /^([\w+]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (hosts === undefined || !hosts.includes(',')) return [url];
  return hosts.split(',').map((host) => `${before}${host}${after}`);
}
