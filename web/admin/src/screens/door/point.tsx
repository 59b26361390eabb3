import { Page, useWords } from '@turnout/ui';

export default function Point() {
  const t = useWords('door');
  return <Page title={t('point')} />;
}
