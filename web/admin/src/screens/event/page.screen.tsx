import type { Event, EventChange } from '@turnout/client';
import { Checkbox, Page, useWords } from '@turnout/ui';
import { call, useRefresh } from '../../frame/api.ts';
import { useEvent } from '../../frame/event.tsx';
import { useOrganization } from '../../frame/organization.tsx';
import { MarkdownField } from '../../parts/markdown-field.tsx';
import { PageAddress } from '../../parts/page-address.tsx';
import { PictureField } from '../../parts/picture-field.tsx';
import { ChangeForm } from './settings/change-form.tsx';
import './page/page.css';
import { Embed } from './settings/embed.tsx';

interface Values {
  description: string;
  listed: boolean;
}
const valuesOf = ({ description, listed }: Event): Values => ({ description: description ?? '', listed });
const bodyOf = ({ description, ...rest }: Partial<Values>): EventChange => ({
  ...rest,
  ...(description !== undefined && { description: description.trim() === '' ? null : description }),
});

/** The page on which people read about the event and register: where it is and what it shows. */
export default function RegistrationPage() {
  const t = useWords('site');
  const { event } = useEvent();
  const names = { description: t('description'), listed: t('listed') };
  return (
    <Page title={t('page')} lead={t('pageLead')} narrow>
      <div className="stack page-look">
        <PageAddress label={t('address')} address={event.public_url}>
          <span className="soft small">{t(event.test ? 'sees.test' : `sees.${event.status}`)}</span>
        </PageAddress>
        <Image />
        <ChangeForm valuesOf={valuesOf} body={bodyOf} names={names}>
          {({ field }) => (
            <>
              <MarkdownField
                label={names.description}
                hint={t('descriptionHint')}
                required={false}
                maxLength={20_000}
                rows={8}
                {...field('description')}
              />
              <Checkbox label={names.listed} hint={t('listedHint')} {...field('listed')} />
            </>
          )}
        </ChangeForm>
        <Embed />
      </div>
    </Page>
  );
}

function Image() {
  const t = useWords('site');
  const { event, base } = useEvent();
  const { may } = useOrganization();
  const refresh = useRefresh();
  const changed = () => refresh('getEvent', 'listAuditLog');
  return (
    <PictureField
      label={t('picture')}
      hint={t('pictureHint')}
      address={event.image}
      shape="wide"
      locked={event.status === 'archived' || !may('events.write')}
      save={(file) => call('setEventImage', { ...base, file }).then(changed)}
      remove={() => call('removeEventImage', base).then(changed)}
    />
  );
}
