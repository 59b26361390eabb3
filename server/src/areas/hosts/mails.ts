import { ownerTexts } from '@turnout/words/mails';
import { queueMail } from '../../road/for-areas/mail.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { membersToTell } from '../groups/index.ts';
import { recordName } from './names.ts';
import type { HostRow } from './queries.ts';

/** What a member typed stays in its own line of the text. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Tells the owners, each in their own language, that the record of a host is missing or that the host was dropped. */
export async function mailOwnersOfHost(tx: Tx, row: HostRow, what: 'missing' | 'dropped'): Promise<void> {
  const owners = await membersToTell(tx, row.org_id, { kind: 'tenant_host', group: null });
  const { name: org } = await tx.one<{ name: string }>(sql`select name from organizations where id = ${row.org_id}`);
  const about = { org: oneLine(org), host: row.host };
  const record = { record: recordName(row.host), value: row.token };
  for (const { email, name, language } of owners) {
    const { t } = ownerTexts(language);
    const lines =
      what === 'missing'
        ? [t('host_missing.line1', about), t('host_missing.line2', record), t('host_missing.line3')]
        : [t('host_dropped.line1', about), t('host_dropped.line2', record)];
    await queueMail(tx, row.org_id, {
      kind: `tenant_host_${what}`,
      to: email,
      toName: name,
      object: row.id,
      subject: t(`host_${what}.subject`, about),
      text: [t('hello', { owner: oneLine(name) }), ...lines, 'Turnout'].join('\n\n'),
    });
  }
}
