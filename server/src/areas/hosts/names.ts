import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { FaultRule } from '@turnout/contract';
import type { Fault } from '../../common/refusal.ts';
import type { Links } from '../../road/for-areas/links.ts';

const PREFIX = '_turnout.';
/** A name in DNS has at most 253 characters, and that of the record is longer than that of the host. */
const MAX_CHARACTERS = 253 - PREFIX.length;

/** The name of the TXT record that proves a host. */
export const recordName = (host: string): string => PREFIX + host;

const isLabel = (label: string): boolean => label.length <= 63 && /^[a-z0-9-]+$/.test(label) && !/^-|-$/.test(label);

/** A name that ends in a number would be read as an IP address by browsers: 127.1, 0x7f.0.0.1. */
const endsInNumber = (labels: readonly string[]): boolean => /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!);

/** The name of a host as it is stored: in lower case, as DNS spells it, without a dot at the end. Null: it is none. */
export function hostName(text: string): string | null {
  // The function below would read %41 as a letter, and drop some invisible characters.
  if (/[%/:@?#[\]\\*\s\p{C}]/u.test(text)) return null;
  const host = domainToASCII(text.replace(/\.$/, '')).toLowerCase();
  const labels = host.split('.');
  const good = labels.length > 1 && labels.every(isLabel) && !endsInNumber(labels) && isIP(host) === 0;
  return good && labels.at(-1) !== 'localhost' ? host : null;
}

/** What is wrong with a host that an organization wants. */
export function hostFaults(text: string, links: Links): Fault[] {
  const host = hostName(text);
  const says = (rule: FaultRule, message: string, limit?: number): Fault[] => [
    { path: 'host', message, rule, ...(limit !== undefined && { limit }) },
  ];
  if (host === null) {
    return says(
      'not_host',
      'must be the name of a host such as tickets.example.org, without https://, a port or a path, and not an IP address',
    );
  }
  if (host.length > MAX_CHARACTERS)
    return says('too_long', `must have at most ${MAX_CHARACTERS} characters, as DNS spells it`, MAX_CHARACTERS);
  if (links.isOwnHost(host)) return says('own_host', 'must not be a host of this installation itself');
  return [];
}
