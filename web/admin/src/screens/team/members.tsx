import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Member } from '@turnout/client';
import { mayGiveRole } from '@turnout/contract/access';
import { Ago, Badge, ConfirmDialog, Menu, MoreIcon, ProblemNotice, Table, toast, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { call, useCall, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { QueryResult } from '../../frame/query-result.tsx';
import { ChangeMember } from './change-member.tsx';
import { MemberDetails } from './member-details.tsx';

/** The members, each with what they may and how well their account is guarded. */
export function Members() {
  const t = useWords('team');
  const { org, member: me } = useOrganization();
  const members = useCall('listMembers', { org });
  const { member: shown } = useSearch({ from: '/$org/team' });
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/$org/team', params: { org }, search: {} });
  const [open, setOpen] = useState<{ what: 'change' | 'remove'; member: Member } | null>(null);
  const actions = (member: Member) => (
    <Menu
      label={t('actionsOf', { name: member.name })}
      button={{ kind: 'quiet', size: 'small' }}
      groups={[
        {
          items: [
            { id: 'change', label: t('change'), onAction: () => setOpen({ what: 'change', member }) },
            { id: 'remove', label: t('remove'), danger: true, onAction: () => setOpen({ what: 'remove', member }) },
          ],
        },
      ]}
    >
      <MoreIcon />
    </Menu>
  );
  return (
    <QueryResult query={members}>
      {({ data }) => (
        <>
          <Table
            label={t('members')}
            rows={data}
            keyOf={(member) => member.id}
            columns={[
              { id: 'name', head: t('name'), cell: (member) => <MemberName member={member} /> },
              { id: 'role', head: t('role'), cell: (member) => t(`role.${member.role}`) },
              {
                id: 'group',
                head: t('group'),
                cell: (member) => member.group ?? <span className="soft">{t('all')}</span>,
              },
              {
                id: 'factor',
                head: t('secondFactor'),
                cell: (member) => (
                  <Badge tone={member.second_factor ? 'good' : 'warn'}>
                    {t(member.second_factor ? 'set' : 'notSet')}
                  </Badge>
                ),
              },
              {
                id: 'seen',
                head: t('lastSeen'),
                cell: (member) => (member.last_seen_at === null ? t('never') : <Ago at={member.last_seen_at} />),
              },
              {
                id: t('actions'),
                head: '',
                align: 'end',
                cell: (member) => !member.you && mayGiveRole(me.role, member.role, null) && actions(member),
              },
            ]}
          />
          {data
            .filter(({ id }) => id === shown)
            .map((member) => (
              <MemberDetails key={member.id} member={member} onClose={close} />
            ))}
          {open?.what === 'change' && <ChangeMember member={open.member} onClose={() => setOpen(null)} />}
          {open?.what === 'remove' && <RemoveMember member={open.member} onClose={() => setOpen(null)} />}
        </>
      )}
    </QueryResult>
  );
}

function MemberName({ member }: { member: Member }) {
  const t = useWords('team');
  const { org } = useOrganization();
  return (
    <div>
      <div className="row">
        <Link className="row-link" to="/$org/team" params={{ org }} search={{ member: member.id }}>
          {member.name}
        </Link>
        {member.you && <Badge icon={null}>{t('you')}</Badge>}
      </div>
      <div className="soft small">{member.email}</div>
    </div>
  );
}

function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useWords('team');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const remove = useAction(async () => {
    await call('removeMember', { org, member: member.id });
    toast(t('removed', { name: member.name }), 'good');
    onClose();
    await refresh('listMembers', 'listInvitations');
  });
  return (
    <ConfirmDialog
      title={t('removeTitle', { name: member.name })}
      action={t('remove')}
      danger
      busy={remove.busy}
      onConfirm={() => void remove.run()}
      onClose={onClose}
    >
      <p>{t('removeText')}</p>
      <ProblemNotice problem={remove.problem} />
    </ConfirmDialog>
  );
}
