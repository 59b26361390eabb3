import { Link } from '@tanstack/react-router';
import type { ApiKeyMade } from '@turnout/client';
import { MODES, type Mode, SCOPES, type Scope } from '@turnout/contract/access';
import { Checkboxes, CopyField, Form, Notice, Page, Radios, Submit, TextArea, TextField, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call, useRefresh } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { DateField } from '../../../parts/fields.tsx';
import { numberOf, numberText } from '../../../parts/number-field.tsx';
import { GroupLimit } from '../group-limit.tsx';
import { addressesOf } from './key-parts.ts';
import { RateField } from './rate-field.tsx';

const EMPTY = {
  name: '',
  mode: 'live' as Mode,
  scopes: [] as Scope[],
  group: '',
  expires_at: '',
  allowed_addresses: '',
  requests_per_minute: '',
};

/** The end of a day where the person is: a key that expires on a day still works on it. */
const endOf = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

export default function NewKey() {
  const t = useWords('developers');
  const { org, member, plan } = useOrganization();
  const refresh = useRefresh();
  const [made, setMade] = useState<ApiKeyMade | null>(null);
  if (made !== null) return <NewSecret apiKey={made} />;
  return (
    <Page title={t('createKey')} lead={t('createKeyLead')} crumb={<ToKeys />} narrow>
      <Form
        values={{
          ...EMPTY,
          group: member.group ?? '',
          requests_per_minute: numberText(plan.limits.api_rate_per_min),
        }}
        submit={({ name, mode, scopes, group, expires_at, allowed_addresses, requests_per_minute }, { key }) =>
          call(
            'createKey',
            {
              org,
              body: {
                name,
                mode,
                scopes: [...scopes],
                allowed_addresses: addressesOf(allowed_addresses),
                requests_per_minute: numberOf(requests_per_minute),
                ...(group !== '' && { group }),
                ...(expires_at !== '' && { expires_at: endOf(expires_at) }),
              },
            },
            { key },
          )
        }
        done={async (reply) => {
          setMade(reply);
          await refresh('listKeys');
        }}
      >
        {({ field }) => (
          <>
            <TextField label={t('name')} hint={t('nameHint')} maxLength={200} autoFocus {...field('name')} />
            <Radios
              label={t('mode')}
              options={MODES.map((mode) => ({ value: mode, label: t(`mode.${mode}`), hint: t(`modeText.${mode}`) }))}
              {...field('mode')}
            />
            <Checkboxes
              label={t('scopes')}
              hint={t('scopesHint')}
              options={SCOPES.map((one) => ({ value: one, label: t(`scope.${one}`), hint: t(`scopeText.${one}`) }))}
              {...field('scopes')}
            />
            <GroupLimit field={field('group')} hint={t('groupHint')} />
            <TextArea
              label={t('addresses')}
              hint={t('addressesHint')}
              required={false}
              spellCheck={false}
              {...field('allowed_addresses')}
            />
            <RateField {...field('requests_per_minute')} />
            <DateField label={t('expires')} hint={t('expiresHint')} required={false} {...field('expires_at')} />
            <div className="buttons">
              <Submit>{t('createKey')}</Submit>
              <Link className="button" data-kind="quiet" to="/$org/developers/keys" params={{ org }}>
                {t('cancel')}
              </Link>
            </div>
          </>
        )}
      </Form>
    </Page>
  );
}

const ToKeys = () => {
  const t = useWords('developers');
  const { org } = useOrganization();
  return (
    <Link to="/$org/developers/keys" params={{ org }}>
      {t('keys')}
    </Link>
  );
};

/** The secret, which is shown only once, with a first call to try it. */
function NewSecret({ apiKey }: { apiKey: ApiKeyMade }) {
  const t = useWords('developers');
  const { org } = useOrganization();
  return (
    <Page title={t('madeTitle', { name: apiKey.name })} crumb={<ToKeys />} narrow>
      <Notice tone="warn" title={t('onceTitle')}>
        {t('onceText')}
      </Notice>
      <CopyField label={t('secret')} text={apiKey.secret} />
      <CopyField
        label={t('firstCall')}
        text={`curl -H "Authorization: Bearer ${apiKey.secret}" ${location.origin}/v1/me`}
      />
      <div className="buttons">
        <Link className="button" data-kind="main" to="/$org/developers/keys" params={{ org }}>
          {t('stored')}
        </Link>
        <a className="button" data-kind="quiet" href="/docs">
          {t('reference')}
        </a>
      </div>
    </Page>
  );
}
