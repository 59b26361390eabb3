import type { AttendeeType } from '@turnout/client';
import { Checkboxes, ComboBox, type FieldProps, Select, useFormats, useWords } from '@turnout/ui';
import { useEvent } from '../frame/event.tsx';
import { useOrganization } from '../frame/organization.tsx';
import { groupOptions, useGroups } from '../screens/groups/tree.ts';
import { isOver } from './late-entry.ts';

type FieldOf<Value> = Omit<FieldProps<Value>, 'label'> & { label?: string };

/**
 * Which days, by their codes. `type`: only those that it is offered for. A pass is valid on any of its days and has nothing to choose
 * (the field is not shown); nor has an event without days. `late`: says which days are over; people can still be entered for them.
 */
export function DaysField({
  type,
  label,
  late = false,
  required: _all,
  ...props
}: FieldOf<string[]> & { type?: AttendeeType | undefined; late?: boolean }) {
  const t = useWords('parts');
  const person = useWords('person');
  const formats = useFormats();
  const { days } = useEvent();
  const offered = days.filter(({ code }) => type?.days?.includes(code) ?? true);
  if (offered.length === 0 || (type !== undefined && type.pass_days !== null)) return null;
  return (
    <Checkboxes
      label={label ?? person('days')}
      options={offered.map((day) => {
        const { code, name, date } = day;
        const plain = formats.date(date);
        const when = late && isOver(day, new Date()) ? t('dayOver', { when: plain }) : plain;
        return { value: code, label: name === date ? when : name, ...(name !== date && { hint: when }) };
      })}
      {...props}
    />
  );
}

/** The type of an attendee, by its code, with its price. `all`: also those that are not offered in the form. */
export function TypeField({ label, all = true, empty, ...props }: FieldOf<string> & { all?: boolean; empty?: string }) {
  const t = useWords('parts');
  const person = useWords('person');
  const { types, money } = useEvent();
  const offered = types.filter((type) => all || type.visible || type.code === props.value);
  return (
    <Select
      label={label ?? person('attendee_type')}
      {...(empty !== undefined || props.value === '' ? { empty: empty ?? t('chooseType') } : {})}
      options={offered.map(({ code, name, current_price_minor: price_minor }) => ({
        value: code,
        label: price_minor === 0 ? name : t('typePrice', { name, price: money(price_minor) }),
      }))}
      {...props}
    />
  );
}

const LONG = 15;

/** A group, by its code; empty for none. Not shown where there are no groups. A member who is limited to one must choose within it. */
export function GroupField({
  label,
  empty,
  ...props
}: FieldOf<string> & { /** What stands for none. */ empty?: string }) {
  const t = useWords('parts');
  const { member } = useOrganization();
  const { data: groups } = useGroups();
  if (groups === undefined || groups.length === 0) return null;
  const options = groupOptions(groups);
  const required = member.group !== null;
  if (options.length > LONG)
    return (
      <ComboBox
        label={label ?? t('group')}
        options={options.map((option) => ({ ...option, label: option.label.trim() }))}
        {...props}
        required={required}
      />
    );
  return (
    <Select
      label={label ?? t('group')}
      options={options}
      {...(!required ? { empty: empty ?? t('noGroup') } : props.value === '' && { empty: t('chooseType') })}
      {...props}
      required={required}
    />
  );
}
