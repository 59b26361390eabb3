import { type Identify, identifyKey, identifyMember, identifyScanner } from './gate/identify.ts';
import type { Operation } from './operation.ts';

/** An address below which operations are reached. Each mount says which operations it offers and how it identifies its callers. */
export interface Mount {
  prefix: string;
  /** What stands between the prefix and the path of the operation: on the admin app's mount, the organization. */
  organization?: string;
  offers: (operation: Operation) => boolean;
  identify: Identify;
  /**
   * Whether callers come with an API key. Then every answer carries the rate headers, and a call to an address that does not exist
   * counts toward the rate of its key, too.
   */
  takesKeys: boolean;
}

export const MOUNTS: readonly Mount[] = [
  {
    prefix: '/v1',
    offers: ({ hosts = ['api'] }) => hosts.includes('api'),
    identify: identifyKey,
    takesKeys: true,
  },
  {
    prefix: '/api/v1',
    offers: ({ hosts = ['api'] }) => hosts.includes('scanner'),
    identify: identifyScanner,
    takesKeys: true,
  },
  {
    prefix: '/app/api',
    organization: '/:org',
    offers: ({ member }) => member !== null,
    identify: identifyMember,
    takesKeys: false,
  },
];

/** The mount that an address is below, whether or not anything is there. */
export function mountOf(url: string): Mount | undefined {
  const path = url.split('?', 1)[0]!;
  return MOUNTS.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
}

/** The address of an operation as Fastify spells it: `/v1/events/:event`. */
export const urlOf = (mount: Mount, operation: Operation): string =>
  mount.prefix + (mount.organization ?? '') + operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
