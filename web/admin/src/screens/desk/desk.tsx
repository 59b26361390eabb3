import { Page, useWords } from '@turnout/ui';

export default function Desk() {
  const t = useWords('desk');
  return <Page title={t('title')} />;
}
