import { Page, useWords } from '@turnout/ui';

export default function Events() {
  const t = useWords('events');
  return <Page title={t('title')} />;
}
