import type { Group } from '@turnout/client';
import { ConfirmDialog, Dialog, Form, ProblemNotice, Select, Submit, TextField, toast, useWords } from '@turnout/ui';
import { useAction } from '../../frame/action.ts';
import { call, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { asShown, newestOf } from '../../parts/over-newest.ts';
import { SharedForm } from '../../parts/shared-form.tsx';
import { groupOptions, subtree, useGroups } from './tree.ts';

interface Parts {
  all: readonly Group[];
  onClose: () => void;
}

/** What every dialog does when its work is done: say so, draw the tree anew, close. */
function useDone(onClose: () => void) {
  const refresh = useRefresh();
  return async (message: string) => {
    toast(message, 'good');
    onClose();
    await refresh('listGroups');
  };
}

const parents = (all: readonly Group[], without: ReadonlySet<string> = new Set()) =>
  groupOptions(all).filter(({ value }) => !without.has(value));

export function AddGroup({ parent, all, onClose }: Parts & { parent: Group | null }) {
  const t = useWords('groups');
  const { org, member } = useOrganization();
  const done = useDone(onClose);
  return (
    <Dialog title={parent === null ? t('add') : t('addBelow', { name: parent.name })} onClose={onClose}>
      <Form
        values={{ name: '', code: '', parent: parent?.code ?? member.group ?? '' }}
        submit={({ name, code, parent: above }, { key }) =>
          call(
            'createGroup',
            { org, body: { name, ...(code !== '' && { code }), parent: above === '' ? null : above } },
            { key },
          )
        }
        done={({ name }) => void done(t('added', { name }))}
      >
        {({ field }) => (
          <>
            <TextField label={t('name')} maxLength={200} autoFocus {...field('name')} />
            <TextField label={t('code')} hint={t('codeHint')} required={false} maxLength={63} {...field('code')} />
            {all.length > 0 && (
              <Select
                label={t('parent')}
                required={false}
                {...(member.group === null && { empty: t('top') })}
                options={parents(all)}
                {...field('parent')}
              />
            )}
            <div className="buttons">
              <Submit>{t('add')}</Submit>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

const valuesOf = ({ name, code }: Group) => ({ name, code });

export function ChangeGroup({ group, onClose }: Parts & { group: Group }) {
  const t = useWords('groups');
  const { org } = useOrganization();
  const refresh = useRefresh();
  return (
    <Dialog title={t('changeTitle', { name: group.name })} onClose={onClose}>
      <SharedForm
        operation="changeGroup"
        values={valuesOf(group)}
        now={async () => {
          const now = await call('getGroup', { org, group: group.id });
          return { values: valuesOf(now), updated_at: now.updated_at };
        }}
        save={(body, _, options) => call('changeGroup', { org, group: group.id, body }, options)}
        done={() => {
          onClose();
          void refresh('listGroups');
        }}
      >
        {({ field }) => (
          <>
            <TextField label={t('name')} maxLength={200} autoFocus {...field('name')} />
            <TextField label={t('code')} maxLength={63} {...field('code')} />
            <div className="buttons">
              <Submit />
            </div>
          </>
        )}
      </SharedForm>
    </Dialog>
  );
}

export function MoveGroup({ group, all, onClose }: Parts & { group: Group }) {
  const t = useWords('groups');
  const { org, member } = useOrganization();
  const done = useDone(onClose);
  return (
    <Dialog title={t('moveTitle', { name: group.name })} onClose={onClose}>
      <Form
        values={{ parent: group.parent ?? '' }}
        submit={({ parent }, { key }) =>
          call('moveGroup', { org, group: group.id, body: { parent: parent === '' ? null : parent } }, { key })
        }
        done={() => void done(t('moved', { name: group.name }))}
      >
        {({ field }) => (
          <>
            <Select
              label={t('parent')}
              hint={t('moveHint')}
              required={false}
              {...(member.group === null && { empty: t('top') })}
              options={parents(all, subtree(all, group.code))}
              {...field('parent')}
            />
            <div className="buttons">
              <Submit>{t('move')}</Submit>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

export function DeleteGroup({ group: opened, onClose }: Parts & { group: Group }) {
  const t = useWords('groups');
  const { org } = useOrganization();
  const done = useDone(onClose);
  const refresh = useRefresh();
  const { data: groups = [] } = useGroups();
  const group = newestOf(groups, opened);
  const remove = useAction(async () => {
    await asShown(
      group,
      (options) => call('deleteGroup', { org, group: group.id }, options),
      () => refresh('listGroups'),
    );
    await done(t('deleted', { name: group.name }));
  });
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name: group.name })}
      action={t('delete')}
      danger
      busy={remove.busy}
      onConfirm={() => void remove.run()}
      onClose={onClose}
    >
      <p>{t('deleteText')}</p>
      <ProblemNotice problem={remove.problem} />
    </ConfirmDialog>
  );
}
