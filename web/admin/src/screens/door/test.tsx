import { Page, useWords } from '@turnout/ui';

export default function TestMode() {
  const t = useWords('door');
  return <Page title={t('test')} />;
}
