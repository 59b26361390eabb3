import type { OperationId } from '@turnout/client';
import { Form, type FormParts } from '@turnout/ui';
import { type ReactNode, useRef, useState } from 'react';
import { changesIn } from './changes.ts';
import { useClash } from './clash.ts';
import { type CallVersion, overNewest } from './over-newest.ts';

/**
 * A form for something that several people may have open. Only the fields that were changed in it are saved, so that two people who
 * change different fields do not undo each other. When both changed the same field, whoever saves later is told what the other one set,
 * and decides.
 */
export function SharedForm<V extends object>({
  operation,
  values: newest,
  now,
  save,
  done,
  places,
  textOf,
  children,
}: {
  /** The operation that saves it. */
  operation: OperationId;
  /** The newest values that this page knows. */
  values: V;
  /** Asks for what is saved right now. */
  now: () => Promise<{ values: V; updated_at?: string }>;
  save: (change: Partial<V>, values: V, options: CallVersion) => Promise<unknown>;
  done?: () => void;
  places?: Readonly<Record<string, keyof V & string>>;
  /** How the value of a field that somebody else set is written, where it is not written as it is. */
  textOf?: (name: string, value: unknown) => string | undefined;
  children: (parts: FormParts<V>) => ReactNode;
}) {
  const clash = useClash(operation, textOf === undefined ? {} : { textOf });
  const changed = useRef(false);
  // What the typed values are based on: the newest ones, unless somebody is typing. What others save meanwhile would look as if it had
  // been changed back here.
  const [basis, setBasis] = useState(newest);
  if (!changed.current && JSON.stringify(basis) !== JSON.stringify(newest)) setBasis(newest);
  const submit = async (values: V): Promise<void> => {
    const change = changesIn(basis, values);
    if (Object.keys(change).length === 0) return;
    await overNewest(now, (newest, options) => {
      clash(basis, change, newest.values);
      return save(change, values, options);
    });
  };
  return (
    <Form
      values={basis}
      submit={submit}
      {...(done !== undefined && { done })}
      {...(places !== undefined && { places })}
    >
      {(parts) => {
        changed.current = parts.changed;
        return children(parts);
      }}
    </Form>
  );
}
