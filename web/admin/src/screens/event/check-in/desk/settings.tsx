import { Link } from '@tanstack/react-router';
import { Notice, Radios, readChoice, Select, Switch, storeChoice, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import { Popup } from '../../../../parts/popup.tsx';
import { useFilters } from '../../../../parts/use-filters.ts';
import { useMayHere } from '../../people/may-here.ts';

export const FORMATS = ['a4', 'phone'] as const;
export type Format = (typeof FORMATS)[number];

export interface Settings {
  /** The code of the check-in point at which people are checked in; null until one is chosen. */
  point: string | null;
  format: Format;
  sound: boolean;
  set: (change: { point?: string; format?: Format; sound?: boolean }) => void;
}

const FORMAT = 'turnout.desk.format';
const SOUND = 'turnout.desk.sound';

/** What is chosen once for a desk. The browser keeps it: the point for each event, the rest for all of them. */
export function useSettings(): Settings {
  const { event, points } = useEvent();
  const { values } = useFilters();
  const pointKey = `turnout.desk.point.${event.id}`;
  const [, setChanges] = useState(0);
  const known = (code: string | null | undefined) => points.find((one) => one.code === code)?.code;
  const only = points.length === 1 ? points[0]!.code : null;
  return {
    point: known(values.check_in_point) ?? known(readChoice(pointKey)) ?? only,
    format: FORMATS.find((format) => format === readChoice(FORMAT)) ?? 'a4',
    sound: readChoice(SOUND) === 'on',
    set: ({ point, format, sound }) => {
      if (point !== undefined) storeChoice(pointKey, point);
      if (format !== undefined) storeChoice(FORMAT, format);
      if (sound !== undefined) storeChoice(SOUND, sound ? 'on' : null);
      setChanges((count) => count + 1);
    },
  };
}

/** Where this desk is, how it prints, whether it makes a sound. */
export function SettingsOfDesk({ settings, scans }: { settings: Settings; scans: boolean }) {
  const t = useWords('desk');
  const { points, pointName } = useEvent();
  const { values, set } = useFilters();
  const { point, format, sound } = settings;
  const choose = (code: string) => {
    settings.set({ point: code });
    // An address that names another point would win over what was chosen.
    if (values.check_in_point !== undefined) set({ check_in_point: undefined }, { quietly: true });
  };
  return (
    <Popup
      end
      name={t('settings')}
      button={{ size: 'small' }}
      label={
        <>
          <span className="soft">{t('atPoint')}</span>{' '}
          <bdi>{point === null ? t('noPointChosen') : pointName(point)}</bdi>
        </>
      }
    >
      <div className="stack desk-settings">
        {scans && points.length > 0 && (
          <Select
            label={t('point')}
            value={point ?? ''}
            onChange={choose}
            options={points.map(({ code, name }) => ({ value: code, label: name }))}
            {...(point === null && { empty: t('choosePoint') })}
          />
        )}
        <Radios
          label={t('format')}
          name="format"
          value={format}
          onChange={(next) => settings.set({ format: next })}
          options={FORMATS.map((value) => ({ value, label: t(`format.${value}`) }))}
        />
        <Switch label={t('sound')} value={sound} onChange={(next) => settings.set({ sound: next })} />
        <p className="soft small">{t('settingsKept')}</p>
      </div>
    </Popup>
  );
}

/** Before anybody is checked in, the desk must know where it is. */
export function ChoosePoint({ settings }: { settings: Settings }) {
  const t = useWords('desk');
  const { points, base } = useEvent();
  const may = useMayHere();
  if (settings.point !== null) return null;
  if (points.length === 0)
    return (
      <Notice tone="warn">
        {t('noPoints')}{' '}
        {may('events.write') && (
          <Link to="/$org/events/$event/check-in/points" params={base}>
            {t('toPoints')}
          </Link>
        )}
      </Notice>
    );
  return (
    <section className="card desk-choose" aria-labelledby="desk-choose">
      <h2 id="desk-choose">{t('choosePointTitle')}</h2>
      <p className="soft">{t('choosePointText')}</p>
      <div className="buttons">
        {points.map(({ code, name }) => (
          <button
            key={code}
            type="button"
            className="button"
            data-kind="usual"
            onClick={() => settings.set({ point: code })}
          >
            <bdi>{name}</bdi>
          </button>
        ))}
      </div>
    </section>
  );
}
