import { Page, useWords } from '@turnout/ui';

export default function Points() {
  const t = useWords('door');
  return <Page title={t('points')} />;
}
