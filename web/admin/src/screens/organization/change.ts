import type { Input } from '@turnout/client';
import { call, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import type { CallVersion } from '../../parts/over-newest.ts';

/** Asks for the settings of the organization as they are right now. */
export function useOrganizationNow() {
  const { org } = useOrganization();
  return () => call('getOrganization', { org });
}

/** Changes settings of the organization. Its name, colour and words then follow everywhere on the screen. */
export function useChangeOrganization() {
  const { org } = useOrganization();
  const refresh = useRefresh();
  return async (body: Input<'changeOrganization'>['body'], options: CallVersion = {}) => {
    const settings = await call('changeOrganization', { org, body }, options);
    await refresh('getOrganization', 'getMembership', 'getAccount');
    return settings;
  };
}
