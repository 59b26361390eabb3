import { Page, useWords } from '@turnout/ui';

export default function Payments() {
  const t = useWords('payments');
  return <Page title={t('title')} />;
}
