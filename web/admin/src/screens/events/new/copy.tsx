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
  const choose = (event: string) => {
    pick({ over: values.event, event });
    set({ event }, { quietly: true });
  };
  return (
    <div className="stack">
      <p className="soft">{t('wayHint.event')}</p>
      <EventChoice chosen={code} text={text} onText={setText} onChoose={choose} />
      {code !== undefined && <Copy key={`${org} ${code}`} code={code} />}
      {code === undefined && <p className="soft">{t('chooseFirst')}</p>}
    </div>
  );
}

const SHOWN = 8;

function EventChoice({
  chosen,
  text,
  onText,
  onChoose,
}: {
  chosen: string | undefined;
  text: string;
  onText: (text: string) => void;
  onChoose: (code: string) => void;
}) {
  const t = useWords('events');
  const { org } = useOrganization();
  const formats = useFormats();
  const search = text.trim();
  const found = useCall('listEvents', {
    org,
    query: { limit: SHOWN, order: 'date', ...(search !== '' && { search: search.slice(0, 100) }) },
  });
  const sourceQuery = useCall('getEvent', { org, event: chosen ?? '' }, { enabled: chosen !== undefined });
  // The one that the address names is among them, also when it is not found by what is typed.
  const all = new Map<string, Event>();
  if (sourceQuery.data !== undefined) all.set(sourceQuery.data.code, sourceQuery.data);
  for (const one of found.data?.data ?? []) all.set(one.code, one);
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
      <ProblemNotice problem={found.error} />
      {found.data === undefined && found.error === null && <Skeleton lines={3} />}
      {all.size > 0 && (
        <Radios
          label={t('whichEvent')}
          value={sourceQuery.data?.code ?? chosen ?? ''}
          onChange={onChoose}
          options={[...all.values()].map((one) => ({ value: one.code, label: one.name, hint: when(one) }))}
        />
      )}
      {found.data !== undefined && all.size === 0 && <p className="soft">{t('noneTitle')}</p>}
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
