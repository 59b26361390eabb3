import type { ApiKey } from '@turnout/client';
import { rateOfKey } from '@turnout/contract/access';
import {
  Ago,
  ConfirmDialog,
  Dialog,
  Facts,
  ProblemNotice,
  Submit,
  TextArea,
  TextField,
  Time,
  toast,
  useFormats,
  useWords,
} from '@turnout/ui';
import { useRef } from 'react';
import { useAction } from '../../../frame/action.ts';
import { call, useRefresh } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { History } from '../../../parts/audit/history.tsx';
import { numberOf, numberText } from '../../../parts/number-field.tsx';
import { SharedForm } from '../../../parts/shared-form.tsx';
import { addressesOf, shortSecret } from './key-parts.ts';
import { RateField } from './rate-field.tsx';

/** Everything about a key but its secret, and what happened to it. */
export function KeyDetails({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useWords('developers');
  const formats = useFormats();
  return (
    <Dialog title={apiKey.name} onClose={onClose} wide>
      <Facts
        facts={[
          [t('secret'), <code key="secret">{shortSecret(apiKey)}</code>],
          [t('mode'), t(`mode.${apiKey.mode}`)],
          [t('scopes'), formats.list(apiKey.scopes.map((scope) => t(`scope.${scope}`)))],
          [t('group'), apiKey.group ?? t('everything')],
          [t('addresses'), apiKey.allowed_addresses?.join(', ') ?? t('anywhere')],
          [t('perMinute'), <Rate key="rate" apiKey={apiKey} />],
          [t('expires'), apiKey.expires_at === null ? t('never') : <Time key="expires" at={apiKey.expires_at} />],
          ...(apiKey.revoked_at === null
            ? []
            : [[t('revoked'), <Time key="revoked" at={apiKey.revoked_at} />] as const]),
          [t('lastUse'), apiKey.last_used_at === null ? t('never') : <Ago key="used" at={apiKey.last_used_at} />],
          [t('createdBy'), apiKey.created_by ?? t('nobody')],
          [t('createdAt'), <Time key="created" at={apiKey.created_at} />],
        ]}
      />
      <History object={apiKey.id} />
    </Dialog>
  );
}

/** The requests per minute that the key really has. */
function Rate({ apiKey: { requests_per_minute: chosen } }: { apiKey: ApiKey }) {
  const t = useWords('developers');
  const formats = useFormats();
  const { plan } = useOrganization();
  const rate = rateOfKey(chosen, plan.limits.api_rate_per_min);
  if (chosen === null || chosen <= rate) return formats.number(rate);
  return t('rateByPlan', { rate: formats.number(rate), chosen: formats.number(chosen) });
}

const valuesOf = (apiKey: ApiKey) => ({
  name: apiKey.name,
  allowed_addresses: apiKey.allowed_addresses?.join('\n') ?? '',
  requests_per_minute: numberText(apiKey.requests_per_minute),
});

/** Changes only what was changed in the form: of a key with more requests than the plan allows now, the name alone, for example. */
export function ChangeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useWords('developers');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const saved = useRef(apiKey.name);
  return (
    <Dialog title={t('changeTitle', { name: apiKey.name })} onClose={onClose}>
      <SharedForm
        operation="changeKey"
        values={valuesOf(apiKey)}
        now={async () => {
          const { data } = await call('listKeys', { org });
          return { values: valuesOf(data.find(({ id }) => id === apiKey.id) ?? apiKey) };
        }}
        save={async ({ name, allowed_addresses, requests_per_minute }) => {
          const changed = await call('changeKey', {
            org,
            key: apiKey.id,
            body: {
              ...(name !== undefined && { name }),
              ...(allowed_addresses !== undefined && { allowed_addresses: addressesOf(allowed_addresses) }),
              ...(requests_per_minute !== undefined && { requests_per_minute: numberOf(requests_per_minute) }),
            },
          });
          saved.current = changed.name;
        }}
        done={() => {
          toast(t('changed', { name: saved.current }), 'good');
          onClose();
          void refresh('listKeys', 'listAuditLog');
        }}
      >
        {({ field }) => (
          <>
            <TextField label={t('name')} maxLength={200} autoFocus {...field('name')} />
            <TextArea
              label={t('addresses')}
              hint={t('addressesHint')}
              required={false}
              spellCheck={false}
              {...field('allowed_addresses')}
            />
            <RateField {...field('requests_per_minute')} />
            <div className="buttons">
              <Submit />
            </div>
          </>
        )}
      </SharedForm>
    </Dialog>
  );
}

export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useWords('developers');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const revoke = useAction(async () => {
    await call('revokeKey', { org, key: apiKey.id });
    toast(t('wasRevoked', { name: apiKey.name }), 'good');
    onClose();
    await refresh('listKeys', 'listAuditLog');
  });
  return (
    <ConfirmDialog
      title={t('revokeTitle', { name: apiKey.name })}
      action={t('revokeKey')}
      danger
      busy={revoke.busy}
      onConfirm={() => void revoke.run()}
      onClose={onClose}
    >
      <p>{t('revokeText')}</p>
      <p>
        <code>{shortSecret(apiKey)}</code>{' '}
        <span className="soft">
          {apiKey.last_used_at === null ? (
            t('neverUsed')
          ) : (
            <>
              {t('lastUse')}: {<Ago at={apiKey.last_used_at} />}
            </>
          )}
        </span>
      </p>
      <ProblemNotice problem={revoke.problem} />
    </ConfirmDialog>
  );
}
