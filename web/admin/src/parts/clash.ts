import { type OperationId, Problem } from '@turnout/client';
import { useFormats, useWords } from '@turnout/ui';
import { useRef } from 'react';
import { clashesOf } from './changes.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T/;

/** One of several, such as an option of a product, which is known by its name. */
const entryText = (entry: unknown): string =>
  typeof entry === 'object' && entry !== null && 'name' in entry ? String(entry.name) : String(entry);

/** A value of a field as a person reads it. */
export function useShown(zone?: string): (value: unknown) => string {
  const p = useWords('parts');
  const formats = useFormats();
  return (value) => {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return '–';
    if (typeof value === 'boolean') return p(value ? 'yes' : 'no');
    if (typeof value === 'string' && INSTANT.test(value)) return formats.dateTime(value, zone);
    return Array.isArray(value) ? formats.list(value.map(entryText)) : String(value);
  };
}

/**
 * Two people have the same form open, and both changed the same field: whoever saves later is told beside the field what the other
 * one set, and nothing is saved. Whoever saves again after that means it. The returned function is called right before saving.
 *
 * `before`: what the form began with. `change`: what would be sent. `now`: what is saved by now. A fault has the path `clash/` and the
 * name that the field has in the body; it finds a field of that name by itself, others by `places`.
 */
export function useClash(
  operation: OperationId,
  { zone, textOf }: { zone?: string; textOf?: (name: string, value: unknown) => string | undefined } = {},
): <V extends object>(before: V, change: object, now: V) => void {
  const t = useWords('parts');
  const shown = useShown(zone);
  /** What others have set, as far as this person has read it: JSON by field. */
  const knownClashes = useRef<ReadonlyMap<string, string>>(new Map());
  return (before, change, now) => {
    const clashes = clashesOf(before, change as Partial<typeof before>, now, knownClashes.current);
    if (clashes.length === 0) {
      knownClashes.current = new Map();
      return;
    }
    knownClashes.current = new Map([
      ...knownClashes.current,
      ...clashes.map((name) => [name as string, JSON.stringify(now[name])] as const),
    ]);
    throw new Problem({
      ...{ status: 409, code: 'changed_meanwhile', operation, message: t('clash') },
      details: clashes.map((name) => ({
        path: `clash/${name}`,
        message: t('clashField', { value: textOf?.(name, now[name]) ?? shown(now[name]) }),
      })),
    });
  };
}
