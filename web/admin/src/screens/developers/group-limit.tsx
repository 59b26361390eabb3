import { type FormField, Select, useWords } from '@turnout/ui';
import { useOrganization } from '../../frame/organization.tsx';
import { flat, treeOf, useGroups } from '../groups/tree.ts';

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
      options={flat(treeOf(groups.data)).map(({ group, depth }) => ({
        value: group.code,
        label: `${'\u2003'.repeat(depth)}${group.name}`,
      }))}
      {...(member.group === null && { empty: t('everything') })}
      {...field}
    />
  );
}
