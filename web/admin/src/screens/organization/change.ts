import type { Input } from '@turnout/client';
import { call, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';

/** Changes settings of the organization. Its name, colour and words then follow everywhere on the screen. */
export function useChangeOrganization() {
  const { org } = useOrganization();
  const refresh = useRefresh();
  return async (body: Input<'changeOrganization'>['body']) => {
    const settings = await call('changeOrganization', { org, body });
    await refresh('getOrganization', 'getMembership', 'getAccount');
    return settings;
  };
}
