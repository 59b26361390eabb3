import { Button, Notice, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import type { FieldChange } from './meanwhile.ts';
import '../people.css';

/** What somebody else saved while this form was open, each change beside what the form says. Nothing was saved yet. */
export function MeanwhileNotice({
  changes,
  labelOf,
  textOf,
  onTake,
}: {
  changes: readonly FieldChange[];
  labelOf: (name: string) => ReactNode;
  textOf: (name: string, value: unknown) => string;
  /** Puts the other's value into the form. */
  onTake: (one: FieldChange) => void;
}) {
  const t = useWords('people');
  if (changes.length === 0) return null;
  const shown = (name: string, value: unknown) => textOf(name, value) || t('nothing');
  return (
    <Notice tone="warn" title={t('meanwhileTitle')}>
      <p>{t('meanwhileText')}</p>
      <table className="meanwhile">
        <thead>
          <tr>
            <th scope="col">{t('field')}</th>
            <th scope="col">{t('before')}</th>
            <th scope="col">{t('theirs')}</th>
            <th scope="col">{t('yours')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((one) => (
            <tr key={one.name}>
              <th scope="row">{labelOf(one.name)}</th>
              <td>
                <bdi>{shown(one.name, one.before)}</bdi>
              </td>
              <td>
                <bdi>{shown(one.name, one.theirs)}</bdi>
              </td>
              <td>
                {'yours' in one ? (
                  <span className="row">
                    <bdi>{shown(one.name, one.yours)}</bdi>
                    <Button size="small" onClick={() => onTake(one)}>
                      {t('takeTheirs')}
                    </Button>
                  </span>
                ) : (
                  <span className="soft">{t('taken')}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Notice>
  );
}
