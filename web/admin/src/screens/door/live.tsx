import { Page, useWords } from '@turnout/ui';

export default function Live() {
  const t = useWords('door');
  return <Page title={t('live')} />;
}
