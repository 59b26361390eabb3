import type { Day } from '@turnout/client';
import { ConfirmDialog, Dialog, Form, ProblemNotice, Submit, toast, useFormats, useWords } from '@turnout/ui';
import { useAction } from '../../../frame/action.ts';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { DateTimeField } from '../../../parts/fields.tsx';
import { useDayName } from '../form/day-name.ts';

/** Locks a day, at once or from a time on, or unlocks it; says what that means at the door. */
export function LockDay({ day, onClose }: { day: Day; onClose: () => void }) {
  return day.locked_at === null ? (
    <Lock day={day} onClose={onClose} />
  ) : (
    <Unlock day={day} at={day.locked_at} onClose={onClose} />
  );
}

function Lock({ day, onClose }: { day: Day; onClose: () => void }) {
  const name = useDayName()(day);
  const t = useWords('form');
  const { base, timezone } = useEvent();
  const refresh = useRefresh();
  return (
    <Dialog title={t('lockTitle', { name })} onClose={onClose}>
      <p>{t('lockText')}</p>
      <Form
        values={{ at: null as string | null }}
        submit={({ at }, { key }) =>
          call('lockDay', { ...base, day: day.id, body: at === null ? {} : { at } }, { key })
        }
        done={async () => {
          await refresh('listDays');
          onClose();
          toast(t('lockedToast', { name }), 'good');
        }}
      >
        {({ field }) => (
          <>
            <DateTimeField
              label={t('lockAt')}
              required={false}
              hint={t('lockAtHint')}
              zone={timezone}
              {...field('at')}
            />
            <div className="buttons">
              <Submit>{t('lock')}</Submit>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

function Unlock({ day, at, onClose }: { day: Day; at: string; onClose: () => void }) {
  const name = useDayName()(day);
  const t = useWords('form');
  const formats = useFormats();
  const { base, timezone } = useEvent();
  const refresh = useRefresh();
  const unlock = useAction(async (options: { key: string }) => {
    await call('unlockDay', { ...base, day: day.id }, options);
    await refresh('listDays');
    onClose();
    toast(t('unlockedToast', { name }), 'good');
  });
  return (
    <ConfirmDialog
      title={t('unlockTitle', { name })}
      action={t('unlock')}
      busy={unlock.busy}
      onConfirm={() => void unlock.run()}
      onClose={onClose}
    >
      <p>{t('unlockText', { at: formats.dateTime(at, timezone) })}</p>
      <ProblemNotice problem={unlock.problem} />
    </ConfirmDialog>
  );
}
