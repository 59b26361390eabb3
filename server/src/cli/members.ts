import { ROLES, type Role } from '@turnout/contract';
import { acrossOrganizationsFind, listMembers } from '../areas/access/index.ts';
import { resetFactors, signOutAccount } from '../areas/accounts/index.ts';
import { findGroup } from '../areas/groups/index.ts';
import {
  changeMember,
  createInvitation,
  invitations,
  type MemberRow,
  members,
  removeMember,
  sendInvitation,
} from '../areas/members/index.ts';
import { refuse } from '../common/refusal.ts';
import { eventbrite } from '../outside/eventbrite.ts';
import type { Work } from '../road/operation.ts';
import { sql } from '../store/sql.ts';
import { jobTransaction, type Tx } from '../store/tx.ts';
import { type Command, type OptionValues, text } from './command.ts';
import { clock, withDatabase } from './database.ts';
import { Operator } from './operator.ts';

const org = { required: true, says: 'code' };
const email = { required: true, says: 'address' };
const roles = { required: true, says: `${ROLES.slice(0, -1).join(', ')} or ${ROLES.at(-1)}` };
const group = { says: 'limit the member to this group and the groups below it' };

const wrong = (message: string): never => refuse('validation_failed', { message });

function roleOf(given: OptionValues): Role {
  const role = text(given.role)!;
  return ROLES.find((one) => one === role) ?? wrong(`${role} is not a role. Roles: ${ROLES.join(', ')}.`);
}
function emailOf(given: OptionValues): string {
  const address = text(given.email)!;
  return /^[^\s@]+@[^\s@]+$/.test(address) && address.length <= 254
    ? address
    : wrong(`${address} is not an e-mail address.`);
}
/** The field `group` of a body; none if the command line names no group. */
async function groupOf({ tx, org: of, caller }: Work, given: OptionValues): Promise<{ group?: string | null }> {
  if (given['no-group'] === true) return { group: null };
  const ref = text(given.group);
  if (ref === undefined) return {};
  const found = await findGroup(tx, of, ref, caller);
  return { group: (found ?? refuse('not_found', { message: `There is no group ${ref} in this organization.` })).code };
}
async function memberOf({ tx, caller }: Work, given: OptionValues): Promise<MemberRow> {
  const address = emailOf(given);
  const [found] = await members(tx, caller, sql`lower(a.email) = lower(${address})`);
  return found ?? refuse('not_found', { message: `${address} is not a member of ${caller.org.code}.` });
}

/** Runs what a member could do, as the operator; it is in the organization's audit log as `action`. */
const as =
  (action: string, run: (work: Work, given: OptionValues) => Promise<unknown>): Command['run'] =>
  (config, given) =>
    withDatabase(config, async (pool) =>
      (await Operator.of(config, pool, text(given.org)!, { eventbrite: eventbrite() })).do(action, (work) =>
        run(work, given),
      ),
    );
const asSystem =
  (run: (tx: Tx, given: OptionValues) => Promise<unknown>): Command['run'] =>
  (config, given) =>
    withDatabase(config, (pool) => jobTransaction(pool, clock, { role: 'system' }, (tx) => run(tx, given)));

/** Who has access, for operators: the first owner of an organization, and people who cannot help themselves. */
export const memberCommands: Command[] = [
  {
    words: 'member add',
    summary: 'Invite somebody into an organization; the link works once, for 72 hours',
    options: { org, email, role: roles, group, send: { flag: true, says: 'also mail a link to the address' } },
    run: as('invitation.created', async (work, given) =>
      createInvitation(work, {
        email: emailOf(given),
        role: roleOf(given),
        ...(await groupOf(work, given)),
        send: given.send === true,
      }),
    ),
  },
  {
    words: 'member invite-link',
    summary: 'Print a new link for somebody who is invited; the links before stop working',
    options: { org, email, send: { flag: true, says: 'also mail a link to the address' } },
    run: as('invitation.sent', async (work, given) => {
      const address = emailOf(given);
      const [found] = await invitations(work.tx, work.caller, sql`lower(i.email) = lower(${address})`);
      if (found === undefined) return refuse('not_found', { message: `${address} is not invited. Use member add.` });
      return sendInvitation(work, found, given.send === true);
    }),
  },
  {
    words: 'member list',
    summary: 'List the members of an organization',
    options: { org },
    run: asSystem(async (tx, given) => ({
      data: await listMembers(tx, (await acrossOrganizationsFind(tx, text(given.org)!)).id),
    })),
  },
  {
    words: 'member role',
    summary: 'Change the role or the group of a member; it holds from their next click on',
    options: {
      org,
      email,
      role: roles,
      group,
      'no-group': { flag: true, says: 'no longer limit the member to a group' },
    },
    run: as('member.changed', async (work, given) => {
      const found = await memberOf(work, given);
      return changeMember(work, found, { role: roleOf(given), ...(await groupOf(work, given)) });
    }),
  },
  {
    words: 'member remove',
    summary: 'Remove a member, for example one who has left; their keys and devices stay',
    options: { org, email },
    run: as('member.removed', async (work, given) => {
      const found = await memberOf(work, given);
      await removeMember(work, found);
      return { email: found.email, removed_from: work.caller.org.code };
    }),
  },
  {
    words: 'member reset-factors',
    summary: 'Remove a lost authenticator app, recovery codes and passkeys of somebody, and sign them out',
    options: { email },
    run: asSystem((tx, given) => resetFactors(tx, emailOf(given))),
  },
  {
    words: 'member sign-out',
    summary: 'End all sessions of somebody',
    options: { email },
    run: asSystem((tx, given) => signOutAccount(tx, emailOf(given))),
  },
];
