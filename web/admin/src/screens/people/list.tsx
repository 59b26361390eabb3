import { Page, useWords } from '@turnout/ui';

export default function People() {
  const t = useWords('people');
  return <Page title={t('title')} />;
}
