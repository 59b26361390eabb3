import type { Event, EventTemplate } from '@turnout/client';
import { Field, ProblemNotice, Radios, Skeleton, useFormats, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useCall } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { useFilters } from '../../../parts/use-filters.ts';
import { CopyForm } from './copy-form.tsx';
import { type NoTemplate, readTemplate } from './template.ts';

/** As another event was: which one stands in the address. */
export function NewFromEvent() {
  const t = useWords('events');
  const { org } = useOrganization();
  const { values, set } = useFilters();
  // The address follows a moment later, and the choice is to be seen at once. From then on the address decides again.
  const [picked, pick] = useState<{ over: string | undefined; event: string }>();
  const code = picked !== undefined && picked.over === values.event ? picked.event : values.event;
  const [text, setText] = useState('');
  const offered = useOffered(text, code);
  const choose = (event: string) => {
    pick({ over: values.event, event });
    set({ event }, { quietly: true });
  };
  return (
    <div className="stack">
      <p className="soft">{t('wayHint.event')}</p>
      <EventChoice offered={offered} text={text} onText={setText} onChoose={choose} />
      {code !== undefined && (
        // How many events stand above it is known then: it would move down when they come.
        <div hidden={offered.events === null}>
          <Copy key={`${org} ${code}`} code={code} />
        </div>
      )}
      {code === undefined && <p className="soft">{t('chooseFirst')}</p>}
    </div>
  );
}

const SHOWN = 8;

interface Offered {
  /** Nothing until all of them are known, so that none moves. */
  events: readonly Event[] | null;
  /** The code of the one that is chosen. */
  chosen: string;
  isFound: boolean;
  error: Error | null;
}

/** The events that are found by what is typed. The chosen one is among them, also when it is not found. */
function useOffered(text: string, chosen: string | undefined): Offered {
  const { org } = useOrganization();
  const search = text.trim();
  const found = useCall(
    'listEvents',
    { org, query: { limit: SHOWN, order: 'date', ...(search !== '' && { search: search.slice(0, 100) }) } },
    { keep: true },
  );
  const source = useCall('getEvent', { org, event: chosen ?? '' }, { enabled: chosen !== undefined });
  const events = found.data?.data ?? [];
  const has = (code: string | undefined) => events.some((one) => one.code === code);
  const isAwaited = found.isPending || (source.isLoading && !has(chosen));
  const apart = source.data !== undefined && !has(source.data.code) ? [source.data] : [];
  return {
    events: isAwaited ? null : [...apart, ...events],
    chosen: source.data?.code ?? chosen ?? '',
    isFound: found.data !== undefined,
    error: found.error,
  };
}

function EventChoice({
  offered: { events, chosen, isFound, error },
  text,
  onText,
  onChoose,
}: {
  offered: Offered;
  text: string;
  onText: (text: string) => void;
  onChoose: (code: string) => void;
}) {
  const t = useWords('events');
  const formats = useFormats();
  const when = ({ starts_at, timezone }: Event) =>
    starts_at === null ? t('noDate') : formats.date(starts_at, timezone);
  return (
    <div className="stack" data-gap="small">
      <Field label={t('findEvent')} required>
        {(wiring) => (
          <input
            className="input events-find"
            type="search"
            autoComplete="off"
            maxLength={100}
            value={text}
            onChange={(event) => onText(event.target.value)}
            {...wiring}
          />
        )}
      </Field>
      <ProblemNotice problem={error} />
      {events === null && <Skeleton lines={3} />}
      {events !== null && events.length > 0 && (
        <Radios
          label={t('whichEvent')}
          value={chosen}
          onChange={onChoose}
          options={events.map((one) => ({ value: one.code, label: one.name, hint: when(one) }))}
        />
      )}
      {events !== null && isFound && events.length === 0 && <p className="soft">{t('noneTitle')}</p>}
    </div>
  );
}

function Copy({ code }: { code: string }) {
  const { org } = useOrganization();
  const template = useCall('getEventTemplate', { org, event: code });
  if (template.data === undefined)
    return template.error === null ? <Skeleton lines={4} /> : <ProblemNotice problem={template.error} />;
  return <CopyForm template={template.data} again />;
}

/** As a template file says, which somebody downloaded from another event. */
export function NewFromFile() {
  const t = useWords('events');
  const [read, setRead] = useState<{ name: string; template: EventTemplate } | null>(null);
  const [fault, setFault] = useState<NoTemplate | null>(null);
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const found = await readTemplate(file);
    setFault('fault' in found ? found.fault : null);
    setRead('fault' in found ? null : { name: file.name, template: found.template });
  };
  return (
    <div className="stack">
      <p className="soft">{t('wayHint.file')}</p>
      <Field
        label={t('file')}
        hint={t('fileHint')}
        required
        {...(fault !== null && { fault: t(`fileFault.${fault}`) })}
      >
        {(wiring) => (
          <input
            className="input"
            type="file"
            accept=".json,application/json"
            onChange={(event) => void take(event.target.files?.[0])}
            {...wiring}
          />
        )}
      </Field>
      {read !== null && <CopyForm key={read.name} template={read.template} again={false} />}
    </div>
  );
}
