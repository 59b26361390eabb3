import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { CheckInPoint } from '@turnout/client';
import { Button, ConfirmDialog, EmptyState, Page, ProblemNotice, Section, toast, useWords } from '@turnout/ui';
import { sentenceOf } from '@turnout/words/point-sentence';
import { useState } from 'react';
import { useAction } from '../../../../frame/action.ts';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { History } from '../../../../parts/history.tsx';
import { asShown } from '../../../../parts/over-newest.ts';
import '../check-in.css';
import { PolicyForm } from './policy-form.tsx';
import { Simulator } from './simulator.tsx';
import { useWriting } from './use-writing.ts';

/** A check-in point: what it does in plain words, its rules, and a simulator that tries them before anybody stands at the door. */
export default function Point() {
  const t = useWords('door');
  const { point: code } = useParams({ strict: false }) as { point: string };
  const { points, base } = useEvent();
  const point = points.find((one) => one.code.toLowerCase() === code.toLowerCase() || one.id === code);
  const crumb = (
    <Link to="/$org/events/$event/check-in/points" params={base}>
      {t('points')}
    </Link>
  );
  if (point === undefined)
    return (
      <Page title={t('point')} crumb={crumb}>
        <EmptyState title={t('pointGone')}>{t('pointGoneText')}</EmptyState>
      </Page>
    );
  return (
    <Page title={point.name} crumb={crumb}>
      <OnePoint key={point.id} point={point} />
    </Page>
  );
}

function OnePoint({ point }: { point: CheckInPoint }) {
  const t = useWords('door');
  const { may } = useOrganization();
  const writing = useWriting();
  // What the simulator and the sentence go by: the rules as they are being edited.
  const [draft, setDraft] = useState(point);
  const shown = may('events.write') ? draft : point;
  const unsaved = JSON.stringify(shown.policy) !== JSON.stringify(point.policy);
  return (
    <>
      <p className="door-sentence" aria-live="polite" data-unsaved={unsaved || undefined}>
        {sentenceOf(shown, writing)}
      </p>
      <div className="door-two">
        <div className="stack">
          {may('events.write') ? (
            <Section title={t('rules')} lead={t('rulesLead')}>
              <PolicyForm point={point} onDraft={setDraft} />
            </Section>
          ) : (
            <p className="soft">{t('rulesOfOthers')}</p>
          )}
          {may('events.write') && <DeletePoint point={point} />}
          <History object={point.id} />
        </div>
        <Section title={t('simulator')} lead={unsaved ? t('simulatorDraft') : t('simulatorLead')}>
          <Simulator point={shown} />
        </Section>
      </div>
    </>
  );
}

function DeletePoint({ point }: { point: CheckInPoint }) {
  const t = useWords('door');
  const { base } = useEvent();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const remove = useAction(async (shown: CheckInPoint, _options: { key: string }) => {
    await asShown(
      shown,
      (options) => call('deleteCheckInPoint', { ...base, check_in_point: shown.id }, options),
      () => refresh('listCheckInPoints', 'getCheckInPoint'),
    );
    await navigate({ to: '/$org/events/$event/check-in/points', params: base });
    toast(t('pointDeleted', { name: point.name }), 'good');
    await refresh('listCheckInPoints');
  });
  return (
    <div className="buttons">
      <Button kind="danger" onClick={() => setAsking(true)}>
        {t('deletePoint')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('deletePointTitle', { name: point.name })}
          action={t('deletePoint')}
          danger
          busy={remove.busy}
          onConfirm={() => void remove.run(point)}
          onClose={() => setAsking(false)}
        >
          <p>{t('deletePointText')}</p>
          <ProblemNotice problem={remove.problem} />
        </ConfirmDialog>
      )}
    </div>
  );
}
