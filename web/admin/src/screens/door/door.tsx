import { Page, useWords } from '@turnout/ui';

export default function Door() {
  const t = useWords('door');
  return <Page title={t('title')} />;
}
