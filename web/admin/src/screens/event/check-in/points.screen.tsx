import { Link, useNavigate } from '@tanstack/react-router';
import type { CheckInPoint } from '@turnout/client';
import { Button, Dialog, EmptyState, Form, Page, Radios, Submit, TextField, useWords } from '@turnout/ui';
import { sentenceOf } from '@turnout/words/point-sentence';
import { useState } from 'react';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import './check-in.css';
import { useWriting } from './points/use-writing.ts';

const KINDS = ['entry', 'pre_check', 'zone', 'exit'] as const;

/** Every check-in point with what it does, in plain words. */
export default function Points() {
  const t = useWords('door');
  const { points } = useEvent();
  const { may } = useOrganization();
  const [adding, setAdding] = useState(false);
  const add = may('events.write') && (
    <Button kind="main" onClick={() => setAdding(true)}>
      {t('addPoint')}
    </Button>
  );
  return (
    <Page title={t('points')} lead={t('pointsLead')} actions={points.length > 0 && add}>
      {points.length === 0 ? (
        <EmptyState title={t('noPoints')} action={add}>
          {t('noPointsText')}
        </EmptyState>
      ) : (
        <ul className="door-points" aria-label={t('points')}>
          {points.map((point) => (
            <PointCard key={point.id} point={point} />
          ))}
        </ul>
      )}
      {adding && <AddPoint onClose={() => setAdding(false)} />}
    </Page>
  );
}

function PointCard({ point }: { point: CheckInPoint }) {
  const t = useWords('door');
  const writing = useWriting();
  const { base } = useEvent();
  return (
    <li className="door-point">
      <div className="row" data-apart="">
        <h2>
          <Link
            className="row-link"
            to="/$org/events/$event/check-in/points/$point"
            params={{ ...base, point: point.code }}
          >
            <bdi>{point.name}</bdi>
          </Link>
        </h2>
        <span className="soft small">{t(`kind.${point.kind}`)}</span>
      </div>
      <p>{sentenceOf(point, writing)}</p>
    </li>
  );
}

function AddPoint({ onClose }: { onClose: () => void }) {
  const t = useWords('door');
  const { base } = useEvent();
  const refresh = useRefresh();
  const navigate = useNavigate();
  return (
    <Dialog title={t('addPoint')} onClose={onClose}>
      <Form
        values={{ name: '', kind: 'entry' as CheckInPoint['kind'] }}
        submit={(body, { key }) => call('createCheckInPoint', { ...base, body }, { key })}
        done={async (made) => {
          await refresh('listCheckInPoints');
          onClose();
          void navigate({ to: '/$org/events/$event/check-in/points/$point', params: { ...base, point: made.code } });
        }}
      >
        {({ field }) => (
          <>
            <TextField label={t('name')} maxLength={200} autoComplete="off" {...field('name')} />
            <Radios
              label={t('kind')}
              options={KINDS.map((kind) => ({ value: kind, label: t(`kind.${kind}`), hint: t(`kindHint.${kind}`) }))}
              {...field('kind')}
            />
            <div className="buttons">
              <Submit>{t('addPoint')}</Submit>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}
