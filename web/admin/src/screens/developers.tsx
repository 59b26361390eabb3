import { Page, useWords } from '@turnout/ui';

export default function Screen() {
  const t = useWords('developers');
  return <Page title={t('title')} />;
}
