import { Page, useWords } from '@turnout/ui';

export default function Screen() {
  const t = useWords('team');
  return <Page title={t('title')} />;
}
