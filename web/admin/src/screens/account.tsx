import { Page, useWords } from '@turnout/ui';

export default function Screen() {
  const t = useWords('account');
  return <Page title={t('title')} />;
}
