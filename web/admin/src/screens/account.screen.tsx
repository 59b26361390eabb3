import type { Account } from '@turnout/client';
import { Notice, Page, Section, useFormats, useWords } from '@turnout/ui';
import { useCall } from '../frame/api.ts';
import { QueryResult } from '../frame/query-result.tsx';
import { DoorPins } from './account/door-pin.tsx';
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
    <Page title={t('title')} lead={t('lead')} narrow>
      <QueryResult query={account}>{(data) => <Settings account={data} />}</QueryResult>
    </Page>
  );
}

function Settings({ account }: { account: Account }) {
  return account.sandbox ? <Sandbox account={account} /> : <AccountSections account={account} />;
}

/** The made-up manager is shared by everybody who has the link, so nothing is offered that would be refused. */
function Sandbox({ account }: { account: Account }) {
  const t = useWords('account');
  return (
    <>
      <Notice title={t('sandboxTitle')}>{t('sandboxText')}</Notice>
      <Appearance />
      <Organizations account={account} />
    </>
  );
}

function AccountSections({ account }: { account: Account }) {
  const t = useWords('account');
  return (
    <Proofs account={account}>
      <Profile account={account} />
      <Appearance />
      <Section title={t('signingIn')} lead={t('signingInLead')}>
        <div className="settings">
          <Email account={account} />
          <Passkeys account={account} />
          <Password account={account} />
          <Totp account={account} />
          <Identities account={account} />
        </div>
      </Section>
      <DoorPins account={account} />
      <Organizations account={account} />
      <Sessions />
    </Proofs>
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
