import {
  acrossOrganizationsDropHost,
  acrossOrganizationsHosts,
  acrossOrganizationsProveHost,
} from '../areas/hosts/index.ts';
import { type Command, text } from './command.ts';
import { asSystem } from './database.ts';

const org = { required: true, says: 'code' };

/** The hosts of organizations. The operator proves them without DNS, and decides who has a contested one. */
export const hostCommands: Command[] = [
  {
    words: 'host list',
    summary: 'List the hosts of organizations, contested ones first',
    options: { org: { says: 'only of this organization' } },
    run: (config, given) =>
      asSystem(config, async (tx) => ({ data: await acrossOrganizationsHosts(tx, text(given.org)) })),
  },
  {
    words: 'host prove',
    argument: 'HOST',
    summary: 'Say that a host belongs to an organization, without a DNS record',
    options: { org, 'instead-of': { says: 'the organization that it is taken from' } },
    run: (config, given, host) =>
      asSystem(config, (tx) =>
        acrossOrganizationsProveHost(tx, {
          host: host!,
          org: text(given.org)!,
          insteadOf: text(given['instead-of']),
          isOwn: (name) => [config.publicUrl, config.scannerUrl].some((url) => new URL(url).hostname === name),
        }),
      ),
  },
  {
    words: 'host drop',
    argument: 'HOST',
    summary: 'Remove a host from an organization; its pages are no longer there',
    options: { org },
    run: (config, given, host) =>
      asSystem(config, (tx) => acrossOrganizationsDropHost(tx, { host: host!, org: text(given.org)! })),
  },
];
