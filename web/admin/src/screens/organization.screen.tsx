import type { OrganizationSettings } from '@turnout/client';
import { FormShape, Page, Section, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { useCall } from '../frame/api.ts';
import { useOrganization } from '../frame/organization.tsx';
import { QueryResult } from '../frame/query-result.tsx';
import { Sections, type SettingsSection } from '../parts/sections.tsx';
import { Hosts } from './organization/hosts.tsx';
import { AccentForm } from './organization/look.tsx';
import { Pages } from './organization/pages.tsx';
import { Plan } from './organization/plan.tsx';
import { Profile } from './organization/profile.tsx';
import { SecondFactor } from './organization/second-factor.tsx';
import { Terminology } from './organization/terminology.tsx';

/** The organization itself, one section at a time. Whoever may not change it sees its plan and how much of it is used. */
export default function Organization() {
  const t = useWords('organization');
  const { may } = useOrganization();
  const sections = useSections();
  if (!may('tenant.settings'))
    return (
      <Page title={t('title')} narrow>
        <Plan />
      </Page>
    );
  return (
    <Page title={t('title')}>
      <Sections label={t('sections')} sections={sections} />
    </Page>
  );
}

function useSections(): SettingsSection[] {
  const t = useWords('organization');
  const hosts = useWords('hosts');
  const site = useWords('site');
  const { member } = useOrganization();
  const section = (id: string, title: string, content: ReactNode, lead?: string): SettingsSection => ({
    id,
    title,
    content: (
      <Section title={title} lead={lead}>
        {content}
      </Section>
    ),
  });
  const sections = [
    section('profile', t('profile'), <Loaded fields={4}>{(settings) => <Profile settings={settings} />}</Loaded>),
    section(
      'words',
      t('terminology'),
      <Loaded fields={7}>{(settings) => <Terminology settings={settings} />}</Loaded>,
      t('terminologyLead'),
    ),
    section(
      'look',
      t('look'),
      <Loaded fields={1}>{(settings) => <AccentForm settings={settings} />}</Loaded>,
      t('lookLead'),
    ),
    section(
      'pages',
      site('pages'),
      <Loaded fields={5}>{(settings) => <Pages settings={settings} />}</Loaded>,
      site('pagesLead'),
    ),
  ];
  // Whoever is limited to a group may not see what belongs to the whole organization.
  if (member.group === null) sections.push(section('hosts', hosts('title'), <Hosts />, hosts('lead')));
  sections.push(
    { id: 'plan', title: t('plan'), content: <Plan /> },
    {
      ...section(
        'security',
        t('security'),
        <Loaded fields={1}>{(settings) => <SecondFactor settings={settings} />}</Loaded>,
      ),
      apart: true,
    },
  );
  return sections;
}

/** What a section shows when the settings are there; until then, as many fields in grey. */
function Loaded({ fields, children }: { fields: number; children: (settings: OrganizationSettings) => ReactNode }) {
  const { org } = useOrganization();
  const settings = useCall('getOrganization', { org });
  return (
    <QueryResult query={settings} shape={<FormShape fields={fields} />}>
      {children}
    </QueryResult>
  );
}
