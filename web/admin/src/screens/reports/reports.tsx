import { Page, useWords } from '@turnout/ui';

export default function Reports() {
  const t = useWords('reports');
  return <Page title={t('title')} />;
}
