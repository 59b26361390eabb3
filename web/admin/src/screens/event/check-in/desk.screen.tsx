import { Notice, Page, useWords } from '@turnout/ui';
import { useOrganization } from '../../../frame/organization.tsx';
import { useMayHere } from '../people/may-here.ts';
import { Counter } from './desk/counter.tsx';
import { ChoosePoint, SettingsOfDesk, useSettings } from './desk/settings.tsx';
import './desk/desk.css';

/** A field, a list, a person. Made for a queue: whoever comes next is found by typing at once, and checked in by Enter. */
export default function Desk() {
  const t = useWords('desk');
  const { may } = useOrganization();
  const mayHere = useMayHere();
  const settings = useSettings();
  const finds = may('people.read');
  const mayScan = mayHere('door.scan');
  if (!finds && !may('door.scan'))
    return (
      <Page title={t('title')}>
        <Notice tone="warn">{t('notForYou')}</Notice>
      </Page>
    );
  return (
    <Page title={t('title')} actions={<SettingsOfDesk settings={settings} scans={mayScan} />}>
      {mayScan && <ChoosePoint settings={settings} />}
      <Counter settings={settings} finds={finds} scans={mayScan && settings.point !== null} />
    </Page>
  );
}
