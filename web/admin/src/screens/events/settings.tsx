import { Page, useWords } from '@turnout/ui';

export default function Settings() {
  const t = useWords('events');
  return <Page title={t('settings')} />;
}
