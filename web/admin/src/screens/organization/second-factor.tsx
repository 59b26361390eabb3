import type { OrganizationSettings } from '@turnout/client';
import { ProblemNotice, Switch, toast, useWords } from '@turnout/ui';
import { useAction } from '../../frame/action.ts';
import { useChangeOrganization } from './change.ts';

/** Whether everybody who works in the organization needs a second factor. It holds from the next click of each member on. */
export function SecondFactor({ settings }: { settings: OrganizationSettings }) {
  const t = useWords('organization');
  const change = useChangeOrganization();
  const require = useAction(async (on: boolean, _options: { key: string }) => {
    await change({ require_second_factor: on });
    toast(t(on ? 'secondFactorOn' : 'secondFactorOff'), 'good');
  });
  return (
    <>
      <Switch
        label={t('secondFactor')}
        hint={t('secondFactorHint')}
        value={settings.require_second_factor}
        disabled={require.busy}
        onChange={(on) => void require.run(on)}
      />
      <ProblemNotice problem={require.problem} />
    </>
  );
}
