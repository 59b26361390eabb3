import type { Member } from '@turnout/client';
import { Dialog, Form, Submit, toast, useWords } from '@turnout/ui';
import { call, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { GroupField, RoleField } from './role-fields.tsx';

/** Changes what a member may do. It holds from their next click on. */
export function ChangeMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useWords('team');
  const { org } = useOrganization();
  const refresh = useRefresh();
  return (
    <Dialog title={t('changeTitle', { name: member.name })} onClose={onClose}>
      <Form
        values={{ role: member.role, group: member.group ?? '' }}
        submit={({ role, group }) =>
          call('changeMember', { org, member: member.id, body: { role, group: group === '' ? null : group } })
        }
        done={async () => {
          toast(t('changed', { name: member.name }), 'good');
          onClose();
          await refresh('listMembers');
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
      </Form>
    </Dialog>
  );
}
