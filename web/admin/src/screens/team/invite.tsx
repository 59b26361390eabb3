import type { InvitationMade } from '@turnout/client';
import type { Role } from '@turnout/contract/access';
import { Checkbox, CopyField, Dialog, EmailField, Form, Submit, useFormats, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { GroupField, RoleField } from './role-fields.tsx';

/** Invites somebody, and then shows the link once, for whom mails do not reach. */
export function Invite({ onClose }: { onClose: () => void }) {
  const t = useWords('team');
  const { org, member } = useOrganization();
  const refresh = useRefresh();
  const [made, setMade] = useState<InvitationMade | null>(null);
  if (made !== null) return <InvitationLink invitation={made} onClose={onClose} />;
  return (
    <Dialog title={t('invite')} onClose={onClose}>
      <Form
        values={{ email: '', role: 'viewer' as Role, group: member.group ?? '', send: true }}
        submit={({ email, role, group, send }, { key }) =>
          call('createInvitation', { org, body: { email, role, send, ...(group !== '' && { group }) } }, { key })
        }
        done={async (reply) => {
          setMade(reply);
          await refresh('listInvitations');
        }}
      >
        {({ field }) => (
          <>
            <EmailField label={t('email')} autoComplete="off" autoFocus {...field('email')} />
            <RoleField field={field('role')} from={null} />
            <GroupField field={field('group')} />
            <Checkbox label={t('send')} {...field('send')} />
            <div className="buttons">
              <Submit>{t('invite')}</Submit>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** The link of an invitation, which is shown only once. */
export function InvitationLink({ invitation, onClose }: { invitation: InvitationMade; onClose: () => void }) {
  const t = useWords('team');
  const formats = useFormats();
  return (
    <Dialog title={t('invitedTitle', { email: invitation.email })} onClose={onClose}>
      <p>{t(invitation.mailed ? 'mailed' : 'notMailed', { email: invitation.email })}</p>
      <CopyField label={t('link')} text={invitation.link} />
      <p className="soft small">{t('linkHint', { until: formats.dateTime(invitation.expires_at) })}</p>
    </Dialog>
  );
}
