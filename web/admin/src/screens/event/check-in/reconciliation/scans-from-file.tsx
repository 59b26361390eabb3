import { Link } from '@tanstack/react-router';
import { newKey, Problem } from '@turnout/client';
import {
  Button,
  Dialog,
  Facts,
  Field,
  Notice,
  ProblemNotice,
  Table,
  useFormats,
  useProblemText,
  useWords,
} from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../../../frame/action.ts';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import {
  addToTally,
  EMPTY_TALLY,
  type HandOver,
  type NewestCheckIns,
  type NoScans,
  newestOf,
  partsOf,
  readHandOver,
  type ScanError,
  sendParts,
  type Tally,
} from './hand-over.ts';

/** Records the scans that a device could not send any more, from the file that it handed over. */
export function ScansFromFile({ onClose }: { onClose: () => void }) {
  const t = useWords('door');
  const { event } = useEvent();
  const [read, setRead] = useState<(HandOver & { no: number }) | null>(null);
  const [fault, setFault] = useState<{ fault: NoScans; event?: string } | null>(null);
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const found = await readHandOver(file, event.id);
    setFault('fault' in found ? found : null);
    setRead((before) => ('fault' in found ? null : { ...found, no: (before?.no ?? 0) + 1 }));
  };
  return (
    <Dialog title={t('handedTitle')} onClose={onClose}>
      <div className="stack">
        <p className="soft">{t('handedLead')}</p>
        <Field
          label={t('handedFile')}
          required
          {...(fault !== null && { fault: t(`handedFault.${fault.fault}`, { event: fault.event ?? '' }) })}
        >
          {(wiring) => (
            <input
              className="input"
              type="file"
              accept=".json,application/json"
              onChange={({ target }) => {
                void take(target.files?.[0]);
              }}
              {...wiring}
            />
          )}
        </Field>
        {read !== null && <Upload key={read.no} handOver={read} onClose={onClose} />}
      </div>
    </Dialog>
  );
}

/** Sends part after part. If one gets no answer, it can be gone on with: what was recorded already is not recorded twice. */
function Upload({ handOver: { device, scans }, onClose }: { handOver: HandOver; onClose: () => void }) {
  const t = useWords('door');
  const words = useWords('common');
  const { base } = useEvent();
  const refresh = useRefresh();
  const [tally, setTally] = useState<Tally>(EMPTY_TALLY);
  const [sentCount, setSentCount] = useState(0);
  const [going] = useState(() => ({
    parts: partsOf(scans),
    tally: EMPTY_TALLY,
    before: null as NewestCheckIns | null,
  }));
  const upload = useAction(async (_options: { key: string }) => {
    going.before ??= await newest(base);
    const { before } = going;
    await sendParts(
      going.parts,
      (part) => call('scanBatch', { ...base, body: { scans: part } }, { key: newKey() }),
      (part, answer) => {
        going.tally = addToTally(going.tally, part, answer, before);
        setTally(going.tally);
        setSentCount((count) => count + part.length);
      },
    );
    await refresh('listCheckIns', 'listDisagreements', 'countCheckIns', 'reportAttendance', 'reportRefusals');
  });
  const done = sentCount === scans.length && !upload.busy;
  const text = t('handedDone', { done: sentCount, total: scans.length });
  return (
    <div className="stack" data-gap="small">
      {sentCount === 0 && !upload.busy && <p>{t('handedFound', { count: scans.length, device })}</p>}
      {(sentCount > 0 || upload.busy) && (
        <div className="job-bar">
          <progress aria-label={text} value={sentCount} max={scans.length} />
          <span className="soft small number" role="status">
            {text}
          </span>
        </div>
      )}
      <ProblemNotice problem={upload.problem} />
      {sentCount > 0 && <TallyText tally={tally} />}
      <div className="buttons">
        {done ? (
          <Button kind="main" onClick={onClose}>
            {words('close')}
          </Button>
        ) : (
          <Button kind="main" busy={upload.busy} onClick={() => void upload.run()}>
            {sentCount === 0 && upload.problem === null ? t('handedSend') : t('handedGoOn')}
          </Button>
        )}
      </div>
    </div>
  );
}

async function newest(base: { org: string; event: string }): Promise<NewestCheckIns> {
  const [live, test] = await Promise.all(
    [false, true].map((of) => call('listCheckIns', { ...base, query: { limit: 1, test: of } })),
  );
  return { live: newestOf(live!.data), test: newestOf(test!.data) };
}

function TallyText({ tally: { recorded, known, otherwise, refused } }: { tally: Tally }) {
  const t = useWords('door');
  const formats = useFormats();
  const { base, pointName } = useEvent();
  return (
    <>
      <Facts
        facts={[
          [t('handedRecorded'), formats.number(recorded)],
          [t('handedKnown'), formats.number(known)],
          [t('handedRefused'), formats.number(refused.length)],
        ]}
      />
      {otherwise > 0 && (
        <Notice tone="warn">
          {t('handedOtherwise', { count: otherwise })}{' '}
          <Link to="/$org/events/$event/check-in/reconciliation" params={base}>
            {t('reconciliation')}
          </Link>
        </Notice>
      )}
      {refused.length > 0 && (
        <Table
          label={t('handedRefused')}
          rows={refused.slice(0, MAX_SHOWN_REFUSALS)}
          keyOf={({ scan }) => scan.client_uuid ?? ''}
          columns={[
            {
              id: 'when',
              head: t('time'),
              cell: ({ scan }) => (scan.scanned_at === undefined ? '–' : formats.dateTime(scan.scanned_at)),
            },
            { id: 'point', head: t('point'), cell: ({ scan }) => pointName(scan.check_in_point ?? '') },
            { id: 'why', head: t('reason'), cell: ({ error }) => <ScanErrorText error={error} /> },
          ]}
        />
      )}
    </>
  );
}
/** Thousands of rows with the same reason tell nobody more. */
const MAX_SHOWN_REFUSALS = 100;

function ScanErrorText({ error: { code, message, details = [] } }: { error: ScanError }) {
  const text = useProblemText(new Problem({ status: 422, code, message, operation: 'scanBatch' }));
  // Of a scan that is not valid, only the server knows what is wrong with it.
  const faults = (details as readonly { path?: string; message?: string }[]).map(
    ({ path, message: why }) => `${path}: ${why}`,
  );
  return <>{faults.length > 0 ? faults.join('; ') : text}</>;
}
