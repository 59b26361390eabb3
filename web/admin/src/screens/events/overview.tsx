import { Page, useWords } from '@turnout/ui';

export default function Overview() {
  const t = useWords('events');
  return <Page title={t('overview')} />;
}
