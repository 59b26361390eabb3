import { Page, useWords } from '@turnout/ui';

export default function Questions() {
  const t = useWords('form');
  return <Page title={t('questions')} />;
}
