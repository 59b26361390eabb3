import type { Account } from '@turnout/client';
import { ROLE_PERMISSIONS } from '@turnout/contract/access';
import { Button, Dialog, Form, ProblemNotice, Section, Submit, TextField, toast, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { call, useCall, useRefresh } from '../../frame/api.ts';
import { useProof } from './proof.tsx';
import { Setting } from './setting.tsx';

type OwnOrganization = Account['organizations'][number];

/** The organizations in which this member may override at the door. */
export const pinOrganizations = ({ organizations }: Account): OwnOrganization[] =>
  organizations.filter(
    ({ role, second_factor_missing }) => ROLE_PERMISSIONS[role].includes('door.override') && !second_factor_missing,
  );

/** A PIN for each of these organizations. */
export function DoorPins({ organizations }: { organizations: readonly OwnOrganization[] }) {
  const t = useWords('account');
  return (
    <Section title={t('pin')} lead={t('pinLead')}>
      <div className="settings">
        {organizations.map((one) => (
          <OrganizationPin key={one.id} organization={one} />
        ))}
      </div>
    </Section>
  );
}

function OrganizationPin({ organization }: { organization: OwnOrganization }) {
  const t = useWords('account');
  const [open, setOpen] = useState(false);
  const { data, error } = useCall('getMembership', { org: organization.code });
  const set = data?.member.door_pin;
  return (
    <Setting
      name={organization.name}
      actions={
        set !== undefined && (
          <>
            {set && <Remove org={organization.code} />}
            <Button size="small" onClick={() => setOpen(true)}>
              {t(set ? 'pinChange' : 'pinMake')}
              <span className="hidden"> ({organization.name})</span>
            </Button>
          </>
        )
      }
    >
      {set !== undefined && t(set ? 'pinSet' : 'pinNone')}
      <ProblemNotice problem={error} />
      {open && <Change organization={organization} onClose={() => setOpen(false)} />}
    </Setting>
  );
}

function Change({ organization, onClose }: { organization: OwnOrganization; onClose: () => void }) {
  const t = useWords('account');
  const prove = useProof();
  const refresh = useRefresh();
  return (
    <Dialog title={t('pinTitle', { organization: organization.name })} onClose={onClose}>
      <Form
        values={{ pin: '' }}
        submit={({ pin }) => prove(() => call('setDoorPin', { org: organization.code, body: { pin } }))}
        done={async () => {
          onClose();
          toast(t('pinSaved'), 'good');
          await refresh('getMembership');
        }}
      >
        {({ field }) => (
          <>
            <TextField
              label={t('pinField')}
              hint={t('pinHint')}
              autoFocus
              inputMode="numeric"
              autoComplete="off"
              maxLength={6}
              data-code=""
              onInput={({ currentTarget: input }) =>
                input.setCustomValidity(/^\d{6}$/.test(input.value) ? '' : t('pinFault'))
              }
              {...field('pin')}
            />
            <div className="buttons">
              <Submit />
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

function Remove({ org }: { org: string }) {
  const t = useWords('account');
  const prove = useProof();
  const refresh = useRefresh();
  const remove = useAction(async () => {
    await prove(() => call('removeDoorPin', { org }));
    return true;
  });
  return (
    <>
      <Button
        kind="quiet"
        size="small"
        busy={remove.busy}
        onClick={async () => {
          if ((await remove.run()) !== true) return;
          toast(t('pinRemoved'), 'good');
          await refresh('getMembership');
        }}
      >
        {t('pinRemove')}
      </Button>
      <ProblemNotice problem={remove.problem} />
    </>
  );
}
