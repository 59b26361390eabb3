import { Page, useWords } from '@turnout/ui';

export default function Days() {
  const t = useWords('form');
  return <Page title={t('days')} />;
}
