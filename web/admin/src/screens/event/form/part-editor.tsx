import { Button, ConfirmDialog, Form, type FormParts, Submit, useWords } from '@turnout/ui';
import { type ReactNode, useEffect, useState } from 'react';
import { Peek } from './peek.tsx';

/** The form of one day, type or question, in place. Its values are told while they are typed, for the preview. */
export function PartEditor<V extends object>({
  id,
  values: initialValues,
  draft,
  follow,
  save,
  saved,
  onClose,
  places,
  action,
  others,
  children,
}: {
  id: string;
  values: V;
  /** What is typed but not saved; undefined if nothing is. */
  draft: V | undefined;
  follow: (id: string, values: V | null) => void;
  /** `before` is what the form began with: only what differs from it is sent. */
  save: (now: V, before: V, options: { key: string }) => Promise<unknown>;
  saved: (now: V) => void;
  onClose: () => void;
  places?: Readonly<Record<string, keyof V & string>>;
  /** What the button says, if it is not “Save”. */
  action?: string;
  /** Further buttons, such as “Delete”. */
  others?: ReactNode;
  children: (parts: FormParts<V>) => ReactNode;
}) {
  const t = useWords('form');
  const words = useWords('common');
  const [leaving, setLeaving] = useState(false);
  // While somebody types, what others save meanwhile is not mixed in: it would look as if it had been typed here.
  const [before, setBefore] = useState(initialValues);
  if (draft === undefined && JSON.stringify(before) !== JSON.stringify(initialValues)) setBefore(initialValues);
  return (
    <Form
      values={before}
      submit={(now, options) => save(now, before, options)}
      done={(_, now) => saved(now)}
      {...(places !== undefined && { places })}
    >
      {(parts) => (
        <>
          <Follow values={parts.changed ? parts.values : null} tell={(values) => follow(id, values)} />
          {children(parts)}
          <div className="row" data-apart="">
            <div className="buttons">
              <Submit>{action}</Submit>
              <Button kind="quiet" onClick={() => (parts.changed ? setLeaving(true) : onClose())}>
                {words('cancel')}
              </Button>
            </div>
            <div className="buttons">
              <Peek />
              {others}
            </div>
          </div>
          {leaving && (
            <ConfirmDialog
              title={t('discardTitle')}
              action={t('discard')}
              cancel={t('keepOn')}
              danger
              onConfirm={onClose}
              onClose={() => setLeaving(false)}
            >
              <p>{t('discardText')}</p>
            </ConfirmDialog>
          )}
        </>
      )}
    </Form>
  );
}

function Follow<V>({ values, tell }: { values: V | null; tell: (values: V | null) => void }) {
  const text = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the values, and `tell` is another one each time
  useEffect(() => tell(values), [text]);
  return null;
}
