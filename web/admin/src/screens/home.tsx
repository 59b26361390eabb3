import { Page, useWords } from '@turnout/ui';

export default function Screen() {
  const t = useWords('home');
  return <Page title={t('title')} />;
}
