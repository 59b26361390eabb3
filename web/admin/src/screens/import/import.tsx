import { Page, useWords } from '@turnout/ui';

export default function Import() {
  const t = useWords('import');
  return <Page title={t('title')} />;
}
