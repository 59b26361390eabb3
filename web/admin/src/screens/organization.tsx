import { Page, useWords } from '@turnout/ui';

export default function Screen() {
  const t = useWords('organization');
  return <Page title={t('title')} />;
}
