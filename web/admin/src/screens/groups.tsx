import { Page, useWords } from '@turnout/ui';

export default function Screen() {
  const t = useWords('groups');
  return <Page title={t('title')} />;
}
