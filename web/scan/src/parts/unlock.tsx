import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Field, Notice } from './form.tsx';
import { codeOf, engine, faultOf } from './session.ts';
import { find, formats, t } from './words.ts';

/** Who has unlocked this device, and until when. The PIN itself is never kept. */
export const unlocked = signal<{ readonly device: string; readonly name: string; readonly until: number } | null>(null);

const stillUnlocked = () => {
  const now = unlocked.value;
  return now !== null && now.device === engine.value?.paired.id && now.until > Date.now() ? now : null;
};

type Members = readonly { readonly id: string; readonly name: string }[];

/**
 * The fields for a member and a PIN, and what unlocks with them. `always`: even if somebody has unlocked the device already, as for leaving
 * kiosk mode. In the session of a member there are none: the member decides in their own name.
 */
export function useUnlocking({ always = false }: { always?: boolean } = {}): {
  fields: JSX.Element | null;
  unlock: () => Promise<boolean>;
  members: Members | null;
} {
  const [members, setMembers] = useState<Members | null>(null);
  const [member, setMember] = useState('');
  const [pin, setPin] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  /** A PIN may be typed and sent before the names are here; then they are waited for. */
  const membersRequest = useRef<Promise<Members> | undefined>(undefined);
  useLayoutEffect(() => {
    membersRequest.current = engine.value?.members();
    membersRequest.current?.then(
      (all) => {
        setMembers(all);
        setMember((before) => before || (all[0]?.id ?? ''));
      },
      (error: unknown) => setFault(faultText(error)),
    );
  }, []);
  const open = always ? null : stillUnlocked();
  const own = engine.value?.paired.org != null;
  const unlock = async (): Promise<boolean> => {
    if (open !== null || own) return true;
    if (!/^\d{6}$/.test(pin)) {
      setFault(t('pinDigits'));
      return false;
    }
    try {
      const by = member || (await membersRequest.current)?.[0]?.id;
      if (by === undefined) return false;
      const { name, expires_at } = await engine.value!.unlock(by, pin);
      unlocked.value = { device: engine.value!.paired.id, name, until: Date.parse(expires_at) };
      return true;
    } catch (error) {
      setFault(faultText(error));
      return false;
    } finally {
      setPin('');
    }
  };
  const set = (text: string) => {
    setFault(null);
    setPin(text.replaceAll(/\D/g, '').slice(0, 6));
  };
  const fields = own ? null : open !== null ? (
    <p class="hint">{t('unlockedBy', { name: open.name, time: formats().time(open.until) })}</p>
  ) : members?.length === 0 ? (
    <Notice tone="warn" title={t('noMembers')}>
      {t('noMembersText')}
    </Notice>
  ) : (
    <Pin {...{ members: members ?? [], member, setMember, pin, set, fault }} />
  );
  return { fields, unlock, members };
}

const faultText = (error: unknown): string =>
  find(`decideFault.${codeOf(error) ?? faultOf(error)}`) ?? (error as Error).message;

interface PinProps {
  readonly members: Members;
  readonly member: string;
  readonly setMember: (id: string) => void;
  readonly pin: string;
  readonly set: (text: string) => void;
  readonly fault: string | null;
}

function Pin({ members, member, setMember, pin, set, fault }: PinProps) {
  const id = useId();
  return (
    <div class="pin">
      <div class="field">
        <label for={id}>{t('member')}</label>
        <select id={id} value={member} onChange={(event) => setMember(event.currentTarget.value)}>
          {members.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      </div>
      <Field
        label={t('pin')}
        value={pin}
        onText={set}
        fault={fault}
        secret
        autofocus
        inputMode="numeric"
        maxLength={6}
      />
    </div>
  );
}
