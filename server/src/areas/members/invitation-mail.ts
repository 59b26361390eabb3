import type { Role } from '@turnout/contract';
import { cleanLine, cleanName, shortened } from '../../outside/clean.ts';
import { formatInstant } from '../../outside/locale.ts';
import { action, block, foot, head, MUTED, pageOf, TEXT } from '../../outside/mail-templates/html.ts';
import type { RenderedMail } from '../../outside/mail-templates/index.ts';
import { SUBJECT } from '../../outside/mail-templates/letter.ts';
import { html, join } from '../../outside/mail-templates/markup.ts';
import { hashSecret } from '../../road/authenticate.ts';
import type { Links } from '../../road/links.ts';
import type { QueuedMail, RenderMail } from '../../road/mail.ts';
import type { Secrets } from '../../secrets.ts';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import { STANDS } from './invitation-queries.ts';
import { type Invited, invitationWords } from './invitation-words.ts';

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
      where i.org_id = ${org_id} and i.id = ${invitation} and ${STANDS} and i.expires_at > ${tx.clock.now()}
        and i.mailed_hash = ${hashSecret(token)}`);
    if (facts === null) return { withdrawn: 'The invitation was accepted, withdrawn or sent again.' };
    return { ...invitationLetter(facts, links.screen('invitation', token)), attachments: [] };
  };

function invitationLetter(facts: InvitationFacts, url: string): RenderedMail {
  const words = invitationWords(facts.language);
  const invited: Invited = {
    organization: cleanName(facts.organization),
    by: facts.by === null ? null : cleanName(facts.by),
    role: words.roles[facts.role],
    group: facts.group === null ? null : cleanName(facts.group),
    until: formatInstant(facts.expires_at, facts),
  };
  const organization = cleanLine(facts.organization);
  const subject = shortened(words.subject({ ...invited, organization }), SUBJECT);
  const title = words.title(invited);
  const lines = words.lines(invited);
  const card = join([
    head({ organization, title }),
    block(
      join([words.hello, ...lines].map((line) => html`<p class="ink" style="${TEXT};margin:0 0 14px 0">${line}</p>`)),
      18,
    ),
    action({ label: words.accept, url }),
    block(
      html`<div class="mute" style="${MUTED}">${words.copy}<br><a href="${url}" style="color:#5b626b">${url}</a></div>`,
      20,
    ),
    foot(html`${words.footer}`),
  ]);
  return {
    subject,
    text: `${[words.hello, ...lines, `${words.accept}:\n${url}`, organization, `-- \n${words.footer}`].join('\n\n')}\n`,
    html: pageOf({ language: words.language, subject, preview: lines.join(' ').slice(0, 140) }, card),
  };
}
