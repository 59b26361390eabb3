import { Page, useWords } from '@turnout/ui';

export default function CheckIns() {
  const t = useWords('door');
  return <Page title={t('checkIns')} />;
}
