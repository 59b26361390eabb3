import type { OrganizationSettings } from '@turnout/client';
import { Submit, TextArea, TextField, useWords } from '@turnout/ui';
import { call, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { PageAddress } from '../../parts/page-address.tsx';
import { PictureField } from '../../parts/picture-field.tsx';
import { SharedForm } from '../../parts/shared-form.tsx';
import { useChangeOrganization, useOrganizationNow } from './change.ts';
import { originsIn } from './origins.ts';

const valuesOf = ({ imprint_url, privacy_url, embed_origins }: OrganizationSettings) => ({
  imprint_url: imprint_url ?? '',
  privacy_url: privacy_url ?? '',
  embed_origins: embed_origins.join('\n'),
});
const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** What all registration pages of the organization have in common. */
export function Pages({ settings }: { settings: OrganizationSettings }) {
  const t = useWords('site');
  const change = useChangeOrganization();
  const now = useOrganizationNow();
  const address = { inputMode: 'url', autoCapitalize: 'none', spellCheck: false, maxLength: 2000 } as const;
  return (
    <div className="stack">
      <PageAddress label={t('list')} address={settings.pages_url} />
      <Logo settings={settings} />
      <SharedForm
        operation="changeOrganization"
        values={valuesOf(settings)}
        now={async () => {
          const settings = await now();
          return { values: valuesOf(settings), updated_at: settings.updated_at };
        }}
        save={({ imprint_url, privacy_url, embed_origins }, _, options) =>
          change(
            {
              ...(imprint_url !== undefined && { imprint_url: orNull(imprint_url) }),
              ...(privacy_url !== undefined && { privacy_url: orNull(privacy_url) }),
              ...(embed_origins !== undefined && { embed_origins: originsIn(embed_origins) }),
            },
            options,
          )
        }
      >
        {({ field }) => (
          <>
            <TextField
              label={t('imprint')}
              hint={t('imprintHint')}
              required={false}
              {...address}
              {...field('imprint_url')}
            />
            <TextField
              label={t('privacy')}
              hint={t('privacyHint')}
              required={false}
              {...address}
              {...field('privacy_url')}
            />
            <TextArea
              label={t('sites')}
              hint={t('sitesHint')}
              required={false}
              rows={3}
              spellCheck={false}
              autoCapitalize="none"
              {...field('embed_origins')}
            />
            <div className="buttons">
              <Submit />
            </div>
          </>
        )}
      </SharedForm>
    </div>
  );
}

function Logo({ settings }: { settings: OrganizationSettings }) {
  const t = useWords('site');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const changed = () => refresh('getOrganization');
  return (
    <PictureField
      label={t('logo')}
      hint={t('logoHint')}
      address={settings.logo}
      shape="logo"
      locked={false}
      save={(file) => call('setLogo', { org, file }).then(changed)}
      remove={() => call('removeLogo', { org }).then(changed)}
    />
  );
}
