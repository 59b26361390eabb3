import type { OrganizationSettings } from '@turnout/client';
import { Page, useWords } from '@turnout/ui';
import { useCall } from '../frame/api.ts';
import { useOrganization } from '../frame/organization.tsx';
import { QueryResult } from '../frame/query-result.tsx';
import { usePart } from '../parts/use-part.ts';
import { Hosts } from './organization/hosts.tsx';
import { AccentForm } from './organization/look.tsx';
import { Pages } from './organization/pages.tsx';
import { Plan } from './organization/plan.tsx';
import { Profile } from './organization/profile.tsx';
import { SecondFactor } from './organization/second-factor.tsx';
import { Terminology } from './organization/terminology.tsx';

/** The organization itself. Whoever may not change it sees its plan and how much of it is used. */
export default function Organization() {
  const t = useWords('organization');
  const { organization, may } = useOrganization();
  return (
    <Page title={t('title')} lead={organization.name} narrow>
      {may('tenant.settings') && <Settings />}
      <Plan />
    </Page>
  );
}

function Settings() {
  const { org } = useOrganization();
  const settings = useCall('getOrganization', { org });
  return (
    <QueryResult query={settings} lines={8}>
      {(data) => <Parts settings={data} />}
    </QueryResult>
  );
}

function Parts({ settings }: { settings: OrganizationSettings }) {
  const parts = usePart();
  return (
    <div className="stack" data-gap="large" ref={parts}>
      <Profile settings={settings} />
      <Terminology settings={settings} />
      <AccentForm settings={settings} />
      <div data-part="pages">
        <Pages settings={settings} />
      </div>
      <Hosts />
      <SecondFactor settings={settings} />
    </div>
  );
}
