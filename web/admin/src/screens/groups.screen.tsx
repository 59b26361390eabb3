import type { Group } from '@turnout/client';
import { Button, EmptyState, Menu, type MenuGroup, MoreIcon, Page, useWords } from '@turnout/ui';
import { type ReactNode, useState } from 'react';
import { useOrganization } from '../frame/organization.tsx';
import { QueryResult } from '../frame/query-result.tsx';
import { AddGroup, ChangeGroup, DeleteGroup, MoveGroup } from './groups/dialogs.tsx';
import { type Branch, treeOf, useGroups } from './groups/tree.ts';
import './groups/groups.css';

type GroupAction = { what: 'add'; parent: Group | null } | { what: 'change' | 'move' | 'delete'; group: Group };

/** The groups of the organization as a tree. */
export default function Groups() {
  const t = useWords('groups');
  const { may } = useOrganization();
  const groups = useGroups();
  const [doing, setDoing] = useState<GroupAction | null>(null);
  const edits = may('tenant.groups');
  const add = (
    <Button kind="main" onClick={() => setDoing({ what: 'add', parent: null })}>
      {t('add')}
    </Button>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={edits && groups.data?.length !== 0 && add} narrow>
      <QueryResult query={groups}>
        {(all) => (
          <>
            {all.length === 0 ? (
              <EmptyState title={t('emptyTitle')} action={edits && add}>
                {t('emptyText')}
              </EmptyState>
            ) : (
              <Tree branches={treeOf(all)} {...(edits && { onDo: setDoing })} label={t('title')} />
            )}
            <Open doing={doing} all={all} onClose={() => setDoing(null)} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function Tree({
  branches,
  label,
  onDo,
}: {
  branches: readonly Branch[];
  label?: string;
  onDo?: (doing: GroupAction) => void;
}): ReactNode {
  const t = useWords('groups');
  const actions = (group: Group, act: (doing: GroupAction) => void): MenuGroup[] => [
    {
      items: [
        { id: 'add', label: t('below'), onAction: () => act({ what: 'add', parent: group }) },
        { id: 'change', label: t('change'), onAction: () => act({ what: 'change', group }) },
        { id: 'move', label: t('move'), onAction: () => act({ what: 'move', group }) },
        { id: 'delete', label: t('delete'), danger: true, onAction: () => act({ what: 'delete', group }) },
      ],
    },
  ];
  return (
    <ul className="group-tree" aria-label={label}>
      {branches.map(({ group, below }) => (
        <li key={group.id}>
          <div className="group-line">
            <span className="group-name">{group.name}</span>
            <code className="soft small">{group.code}</code>
            {onDo !== undefined && (
              <Menu
                label={t('actionsOf', { name: group.name })}
                groups={actions(group, onDo)}
                button={{ kind: 'quiet', size: 'small' }}
              >
                <MoreIcon />
              </Menu>
            )}
          </div>
          {below.length > 0 && <Tree branches={below} {...(onDo !== undefined && { onDo })} />}
        </li>
      ))}
    </ul>
  );
}

function Open({ doing, all, onClose }: { doing: GroupAction | null; all: readonly Group[]; onClose: () => void }) {
  if (doing === null) return null;
  const parts = { all, onClose };
  if (doing.what === 'add') return <AddGroup parent={doing.parent} {...parts} />;
  if (doing.what === 'change') return <ChangeGroup group={doing.group} {...parts} />;
  if (doing.what === 'move') return <MoveGroup group={doing.group} {...parts} />;
  return <DeleteGroup group={doing.group} {...parts} />;
}
