import { Page, useWords } from '@turnout/ui';

export default function Reconciliation() {
  const t = useWords('door');
  return <Page title={t('reconciliation')} />;
}
