import type { AuditEntry, AuditField } from '@turnout/client';

/**
 * The fields that an entry of the log changed, with what they were before and after, as somebody asks who looks at this person. What
 * follows from the person's change for the registration is told there.
 */
export function changedFields(
  { changes, object }: Pick<AuditEntry, 'changes' | 'object'>,
  attendee: string,
): [name: string, field: AuditField][] {
  if (changes === null) return [];
  const ofPerson =
    changes.objects.find(({ id }) => id === attendee)?.fields ?? (object.id === attendee ? changes.fields : {});
  const fields = Object.keys(ofPerson).length > 0 ? ofPerson : changes.fields;
  return Object.entries(fields).filter(([, field]) => isChanged(field));
}

/** Of personal data the log keeps only that it was changed. */
const isChanged = ({ before, after, changed }: AuditField): boolean =>
  changed === true || JSON.stringify(before ?? null) !== JSON.stringify(after ?? null);
