import type { Role } from '@turnout/contract';
import { accountTexts, teamTexts } from '@turnout/words/mails';
import type { Id } from '../../common/ids.ts';
import type { Secrets } from '../../common/secrets.ts';
import { formatInstant } from '../../outside/locale.ts';
import type { RenderedMail } from '../../outside/mail-templates/index.ts';
import { nameInNotice, renderNotice } from '../../outside/mail-templates/notice.ts';
import type { Links } from '../../road/for-areas/links.ts';
import type { QueuedMail, RenderMail } from '../../road/for-areas/mail.ts';
import { hashSecret } from '../../road/gate/authenticate.ts';
import { sql } from '../../store/sql.ts';
import { INVITATION_BACKED, STANDS } from '../groups/index.ts';

export const INVITATION_MAIL = 'invitation';
export const isInvitation = ({ kind }: QueuedMail): boolean => kind === INVITATION_MAIL;

/** The mail log is kept for a year, so the token waits there encrypted, and the link is written only when the mail is sent. */
export const sealedToken = (secrets: Secrets, token: string): string =>
  secrets.encrypt(Buffer.from(token)).toString('base64');

interface InvitationFacts {
  email: string;
  role: Role;
  organization: string;
  language: string;
  timezone: string;
  group: string | null;
  by: string | null;
  expires_at: string;
}

/** Renders an invitation in the organization's language. One that was accepted, withdrawn or sent again is not sent any more. */
export const invitationRenderer =
  (links: Links, secrets: Secrets): RenderMail =>
  async (tx, { org_id, data }) => {
    const { invitation, sealed } = data as { invitation: Id; sealed: string };
    const token = secrets.decrypt(Buffer.from(sealed, 'base64')).toString();
    const facts = await tx.maybe<InvitationFacts>(sql`
      select i.email, i.role, o.name as organization, o.language, o.timezone, g.name as "group", a.name as by, i.expires_at
      from invitations i join organizations o on o.id = i.org_id
      left join groups g on g.org_id = i.org_id and g.id = i.group_id
      left join members m on m.org_id = i.org_id and m.id = i.invited_by
      left join accounts a on a.id = m.account_id
      where i.org_id = ${org_id} and i.id = ${invitation} and ${STANDS} and ${INVITATION_BACKED} and i.expires_at > ${tx.clock.now()}
        and i.mailed_hash = ${hashSecret(token)}`);
    if (facts === null) return { withdrawn: 'The invitation was accepted, withdrawn or sent again.' };
    return { ...invitationLetter(facts, links.screen('invitation', token)), attachments: [] };
  };

function invitationLetter(facts: InvitationFacts, url: string): RenderedMail {
  const { t, language } = accountTexts(facts.language);
  const organization = nameInNotice(facts.organization);
  const role = teamTexts(facts.language).t(`role.${facts.role}`);
  return renderNotice({
    language,
    from: facts.organization,
    subject: t('invitation.subject', { organization: facts.organization }),
    title: t('invitation.title', { organization }),
    paragraphs: [
      t('invitation.hello'),
      facts.by === null
        ? t('invitation.byOperator', { organization, role })
        : t('invitation.by', { organization, role, by: nameInNotice(facts.by) }),
      ...(facts.group === null ? [] : [t('invitation.group', { group: nameInNotice(facts.group) })]),
      t('invitation.once', { until: formatInstant(facts.expires_at, facts) }),
    ],
    action: { label: t('invitation.button'), url, copy: t('invitation.copy') },
    footer: t('invitation.footer'),
  });
}
