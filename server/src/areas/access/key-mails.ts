import type { ApiKey } from '@turnout/contract';
import { ownerTexts } from '@turnout/words/mails';
import { type Id, toUuid } from '../../common/ids.ts';
import type { Organization } from '../../road/caller.ts';
import { queueMail } from '../../road/for-areas/mail.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { membersToTell } from '../groups/index.ts';

/** What a member typed stays in its own line of the text. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** Tells the owners of a new key, each in their own language, if the key can do what only few should. */
export async function mailOwnersOfKey(tx: Tx, org: Pick<Organization, 'id' | 'name'>, key: ApiKey): Promise<void> {
  if (!key.scopes.includes('admin')) return;
  const id = toUuid(key.id);
  const { group_id } = await tx.one<{ group_id: Id | null }>(
    sql`select group_id from api_keys where org_id = ${org.id} and id = ${id}`,
  );
  const owners = await membersToTell(tx, org.id, { kind: 'api_key', group: group_id });
  for (const owner of owners) {
    const { t } = ownerTexts(owner.language);
    const by = key.created_by === null ? t('key.operator') : oneLine(key.created_by);
    const made = t('key.made', { by, key: oneLine(key.name), org: org.name, scopes: key.scopes.join(', ') });
    const lines = [
      key.group === null ? made : `${made} ${t('key.limited', { group: key.group })}`,
      t('key.may'),
      t('key.revoke'),
    ];
    await queueMail(tx, org.id, {
      kind: 'api_key_created',
      to: owner.email,
      toName: owner.name,
      object: id,
      subject: t('key.subject', { org: org.name }),
      text: [t('hello', { owner: oneLine(owner.name) }), ...lines.map(capital), 'Turnout'].join('\n\n'),
    });
  }
}
