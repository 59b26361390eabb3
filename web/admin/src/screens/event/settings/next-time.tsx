import { Button, Dialog, ProblemNotice, Section, Skeleton, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../../frame/action.ts';
import { call, useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { CopyForm } from '../../events/new/copy-form.tsx';

/** The same event once more: as a copy with another first day, or as a file to keep. */
export function NextTime() {
  const t = useWords('events');
  const { may } = useOrganization();
  const { event, base } = useEvent();
  const [copying, setCopying] = useState(false);
  const download = useAction(async () => {
    const template = await call('getEventTemplate', base);
    save(`${JSON.stringify(template, null, 2)}\n`, `${event.code}-template.json`);
  });
  return (
    <Section title={t('next')} lead={t('nextLead')}>
      <ul className="steps">
        {may('events.write') && (
          <li>
            <div>
              <h3>{t('duplicate')}</h3>
              <p>{t('duplicateText')}</p>
            </div>
            <Button onClick={() => setCopying(true)}>{t('duplicate')}</Button>
          </li>
        )}
        <li>
          <div>
            <h3>{t('template')}</h3>
            <p>{t('templateText')}</p>
          </div>
          <Button busy={download.busy} onClick={() => void download.run()}>
            {t('download')}
          </Button>
        </li>
      </ul>
      <ProblemNotice problem={download.problem} />
      {copying && <Duplicate onClose={() => setCopying(false)} />}
    </Section>
  );
}

function Duplicate({ onClose }: { onClose: () => void }) {
  const t = useWords('events');
  const { base } = useEvent();
  const template = useCall('getEventTemplate', base);
  return (
    <Dialog title={t('duplicateTitle')} onClose={onClose}>
      {template.data === undefined && template.error === null && <Skeleton lines={5} />}
      <ProblemNotice problem={template.error} />
      {template.data !== undefined && <CopyForm template={template.data} again />}
    </Dialog>
  );
}

function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
