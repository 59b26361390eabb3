import { Page, useWords } from '@turnout/ui';

export default function FormStart() {
  const t = useWords('form');
  return <Page title={t('title')} />;
}
