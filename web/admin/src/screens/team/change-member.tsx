import type { Member } from '@turnout/client';
import { Dialog, Submit, toast, useWords } from '@turnout/ui';
import { call, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { SharedForm } from '../../parts/shared-form.tsx';
import { useGroups } from '../groups/tree.ts';
import { GroupField, RoleField } from './role-fields.tsx';

const valuesOf = ({ role, group }: Pick<Member, 'role' | 'group'>) => ({ role, group: group ?? '' });

/** Changes what a member may do. It holds from their next click on. */
export function ChangeMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useWords('team');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const groups = useGroups();
  const textOf = (name: string, value: unknown) =>
    name === 'role'
      ? t(`role.${value as Member['role']}`)
      : value === ''
        ? t('all')
        : groups.data?.find(({ code }) => code === value)?.name;
  return (
    <Dialog title={t('changeTitle', { name: member.name })} onClose={onClose}>
      <SharedForm
        operation="changeMember"
        values={valuesOf(member)}
        now={async () => {
          const { data } = await call('listMembers', { org });
          return { values: valuesOf(data.find(({ id }) => id === member.id) ?? member) };
        }}
        save={({ group, ...change }) => {
          const body = { ...change, ...(group !== undefined && { group: group === '' ? null : group }) };
          return call('changeMember', { org, member: member.id, body });
        }}
        textOf={textOf}
        done={() => {
          toast(t('changed', { name: member.name }), 'good');
          onClose();
          // Invitations that the member could no longer make are withdrawn with the change.
          void refresh('listMembers', 'listInvitations');
        }}
      >
        {({ field }) => (
          <>
            <RoleField field={field('role')} from={member.role} />
            <GroupField field={field('group')} />
            <div className="buttons">
              <Submit />
            </div>
          </>
        )}
      </SharedForm>
    </Dialog>
  );
}
