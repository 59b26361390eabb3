import type { Account } from '@turnout/client';
import { FormShape, Notice, Page, Section, useFormats, useWords } from '@turnout/ui';
import { useCall } from '../frame/api.ts';
import { QueryResult } from '../frame/query-result.tsx';
import { Sections, type SettingsSection } from '../parts/sections.tsx';
import { DoorPins, pinOrganizations } from './account/door-pin.tsx';
import { Email } from './account/email.tsx';
import { Organizations } from './account/organizations.tsx';
import { Passkeys } from './account/passkeys.tsx';
import { Password } from './account/password.tsx';
import { Appearance, Profile } from './account/profile.tsx';
import { Proofs } from './account/proof.tsx';
import { Sessions } from './account/sessions.tsx';
import { Setting } from './account/setting.tsx';
import { Totp } from './account/totp.tsx';
import './account/account.css';
import './sign-in/sign-in.css';

export default function AccountScreen() {
  const t = useWords('account');
  const account = useCall('getAccount', {});
  return (
    <Page title={t('title')}>
      <QueryResult query={account} shape={<FormShape fields={2} />}>
        {(data) => (data.sandbox ? <Sandbox account={data} /> : <Own account={data} />)}
      </QueryResult>
    </Page>
  );
}

/** The made-up manager is shared by everybody who has the link, so nothing is offered that would be refused. */
function Sandbox({ account }: { account: Account }) {
  const t = useWords('account');
  return (
    <>
      <Notice title={t('sandboxTitle')}>{t('sandboxText')}</Notice>
      <Sections
        label={t('sections')}
        sections={[
          { id: 'appearance', title: t('appearance'), content: <Appearance /> },
          { id: 'organizations', title: t('organizations'), content: <Organizations account={account} /> },
        ]}
      />
    </>
  );
}

/** Leaving an organization is in the last section. */
function Own({ account }: { account: Account }) {
  const t = useWords('account');
  const pins = pinOrganizations(account);
  const sections: SettingsSection[] = [
    { id: 'profile', title: t('profile'), content: <Profile account={account} /> },
    { id: 'appearance', title: t('appearance'), content: <Appearance /> },
    { id: 'sign-in', title: t('signingIn'), content: <SigningIn account={account} /> },
    ...(pins.length > 0 ? [{ id: 'pin', title: t('pin'), content: <DoorPins organizations={pins} /> }] : []),
    { id: 'sessions', title: t('sessions'), content: <Sessions /> },
    { id: 'organizations', title: t('organizations'), content: <Organizations account={account} />, apart: true },
  ];
  return (
    <Proofs account={account}>
      <Sections label={t('sections')} sections={sections} />
    </Proofs>
  );
}

function SigningIn({ account }: { account: Account }) {
  const t = useWords('account');
  return (
    <Section title={t('signingIn')} lead={t('signingInLead')}>
      <div className="settings">
        <Email account={account} />
        <Passkeys account={account} />
        <Password account={account} />
        <Totp account={account} />
        <Identities account={account} />
      </div>
    </Section>
  );
}

/** Linked when one signed in by single sign-on for the first time. */
function Identities({ account: { identities } }: { account: Account }) {
  const t = useWords('account');
  const formats = useFormats();
  if (identities.length === 0) return null;
  return (
    <Setting name={t('identities')}>
      {identities.map(({ issuer, created_at }) => (
        <div key={issuer}>
          {issuer} · {t('identityLinked', { date: formats.date(created_at) })}
        </div>
      ))}
    </Setting>
  );
}
