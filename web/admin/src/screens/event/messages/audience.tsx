import type { Audience } from '@turnout/client';
import { Checkboxes, Radios, useFormats, useWords } from '@turnout/ui';
import { useEvent } from '../../../frame/event.tsx';
import { useStateOptions, useStateText } from '../../../parts/status.tsx';
import { groupOptions, useGroups } from '../../groups/tree.ts';
import type { AudienceValues } from './audience-values.ts';

/** Whom a message is for. */
export function AudienceFields({
  value,
  onChange,
}: {
  value: AudienceValues;
  onChange: (value: AudienceValues) => void;
}) {
  const t = useWords('messages');
  const p = useWords('parts');
  const person = useWords('person');
  const { types, days, dayOptions } = useEvent();
  const optionsOf = useStateOptions();
  const { data: groups = [] } = useGroups();
  const set = (change: Partial<AudienceValues>) => onChange({ ...value, ...change });
  const named = (list: readonly { code: string; name: string }[]) =>
    list.map(({ code, name }) => ({ value: code, label: name }));
  return (
    <div className="audience">
      {types.length > 1 && (
        <Checkboxes
          label={t('ofTypes')}
          hint={t('noneIsAll')}
          options={named(types)}
          value={value.attendee_types}
          onChange={(attendee_types) => set({ attendee_types })}
        />
      )}
      {days.length > 1 && (
        <Checkboxes
          label={person('days')}
          hint={t('noneIsAll')}
          options={dayOptions}
          value={value.days}
          onChange={(on) => set({ days: on })}
        />
      )}
      {groups.length > 0 && (
        <Checkboxes
          label={p('group')}
          hint={t('groupsHint')}
          options={groupOptions(groups)}
          value={value.groups}
          onChange={(chosen) => set({ groups: chosen })}
        />
      )}
      <Checkboxes
        label={t('status')}
        options={optionsOf('registration')}
        value={value.statuses}
        onChange={(statuses) => set({ statuses })}
      />
      <Radios
        label={t('checkedIn')}
        value={value.checked_in}
        onChange={(checked_in) => set({ checked_in })}
        options={[
          { value: 'any', label: t('checkedInAny') },
          { value: 'yes', label: t('checkedInYes') },
          { value: 'no', label: t('checkedInNo') },
        ]}
      />
    </div>
  );
}

/** Whom a message is for, in words: “Confirmed · Adult or Crew · Saturday”. */
export function useAudienceText(): (audience: Audience) => string {
  const t = useWords('messages');
  const formats = useFormats();
  const { typeName, dayName } = useEvent();
  const textOf = useStateText();
  const { data: groups = [] } = useGroups();
  return ({ attendee_types, days, groups: codes, statuses, checked_in }) =>
    [
      formats.list(statuses.map((status) => textOf('registration', status))),
      attendee_types && formats.list(attendee_types.map(typeName)),
      days && formats.list(days.map(dayName)),
      codes && formats.list(codes.map((code) => groups.find((group) => group.code === code)?.name ?? code)),
      checked_in === null ? null : t(checked_in ? 'checkedInYes' : 'checkedInNo'),
    ]
      .filter((part) => part !== null)
      .join(' · ');
}
