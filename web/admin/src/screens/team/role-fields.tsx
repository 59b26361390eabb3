import { mayGiveRole, ROLES, type Role } from '@turnout/contract/access';
import { type FormField, Radios, Select, useWords } from '@turnout/ui';
import { useOrganization } from '../../frame/organization.tsx';
import { groupOptions, useGroups } from '../groups/tree.ts';

/** The roles that this member may give, each with what it may in words. `from` is the role that the other person has now. */
export function RoleField({ field, from }: { field: FormField<Role>; from: Role | null }) {
  const t = useWords('team');
  const { member } = useOrganization();
  return (
    <Radios
      label={t('role')}
      options={ROLES.filter((role) => mayGiveRole(member.role, from, role)).map((role) => ({
        value: role,
        label: t(`role.${role}`),
        hint: t(`roleText.${role}`),
      }))}
      {...field}
    />
  );
}

/** The group that somebody is limited to. Not shown where there are no groups. */
export function GroupField({ field }: { field: FormField<string> }) {
  const t = useWords('team');
  const { member } = useOrganization();
  const groups = useGroups();
  if (groups.data === undefined || groups.data.length === 0) return null;
  return (
    <Select
      label={t('group')}
      hint={t('groupHint')}
      required={false}
      {...(member.group === null && { empty: t('all') })}
      options={groupOptions(groups.data)}
      {...field}
    />
  );
}
