import { useNavigate } from '@tanstack/react-router';
import { Problem } from '@turnout/client';
import { Button, Dialog, Form, Notice, Submit, TextField, toast, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';

/** Deletes the event once its name was typed. */
export function DeleteEvent({ onClose }: { onClose: () => void }) {
  const t = useWords('events');
  const p = useWords('common');
  const { event, base } = useEvent();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const [refused, setRefused] = useState(false);
  return (
    <Dialog title={t('deleteTitle', { name: event.name })} onClose={onClose}>
      <p>{t('deleteWhat')}</p>
      <Form
        values={{ typed: '' }}
        careless
        submit={async ({ typed }) => {
          setRefused(false);
          if (typed.trim() !== event.name.trim())
            throw new Problem({
              ...{ status: 422, code: 'validation_failed', operation: 'deleteEvent', message: t('deleteWrong') },
              details: [{ path: 'typed', message: t('deleteWrong') }],
            });
          try {
            await call('deleteEvent', base);
          } catch (error) {
            setRefused(error instanceof Problem && error.code === 'invalid_state');
            throw error;
          }
        }}
        done={() => {
          toast(t('deleted', { name: event.name }), 'good');
          void navigate({ to: '/$org/events', params: { org: base.org } });
          void refresh('listEvents', 'getOverview');
        }}
      >
        {({ field }) => (
          <>
            <TextField
              label={t('name')}
              hint={t('deleteHint', { name: event.name })}
              autoComplete="off"
              spellCheck={false}
              {...field('typed')}
            />
            {refused && <Notice tone="warn">{t('deleteRefused')}</Notice>}
            <div className="buttons">
              <Submit kind="danger-main">{t('delete')}</Submit>
              <Button kind="quiet" onClick={onClose}>
                {p('cancel')}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}
