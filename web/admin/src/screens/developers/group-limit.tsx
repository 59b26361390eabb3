import { type FormField, Select, useWords } from '@turnout/ui';
import { useOrganization } from '../../frame/organization.tsx';
import { groupOptions, useGroups } from '../groups/tree.ts';

/** The group that a key or an endpoint is limited to. Not shown where there are no groups. */
export function GroupLimit({ field, hint }: { field: FormField<string>; hint: string }) {
  const t = useWords('developers');
  const { member } = useOrganization();
  const groups = useGroups();
  if (groups.data === undefined || groups.data.length === 0) return null;
  return (
    <Select
      label={t('group')}
      hint={hint}
      required={member.group !== null}
      options={groupOptions(groups.data)}
      {...(member.group === null && { empty: t('everything') })}
      {...field}
    />
  );
}
