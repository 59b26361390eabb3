import type { AccountLanguage, Role } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/** What mails about the organization itself are about, and which roles get them. The contract says owners for the first four; payments are added to them. */
const TOLD = {
  api_key: ['owner'],
  webhook_endpoint: ['owner'],
  api_calls: ['owner'],
  tenant_host: ['owner'],
  payment: ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export interface Matter {
  kind: keyof typeof TOLD;
  /** The group that it belongs to. Null: it concerns the whole organization. */
  group: Id | null;
}

export interface ToldMember {
  email: string;
  name: string;
  language: AccountLanguage;
}

/**
 * Whom a mail about the organization goes to. Somebody who is limited to a group hears only of what lies in that group or below it. An
 * organization always has an owner who is not limited (members.ts), so nothing is left untold.
 */
export const membersToTell = (tx: Tx, org: Id, { kind, group }: Matter): Promise<ToldMember[]> =>
  tx.all<ToldMember>(sql`
    select a.email, a.name, a.language from members m join accounts a on a.id = m.account_id
    where m.org_id = ${org} and m.role = any(${[...TOLD[kind]]})
      and (m.group_id is null
        or m.group_id in (select unnest(g.path) from groups g where g.org_id = m.org_id and g.id = ${group}))
    order by m.id`);
