import { Page, useWords } from '@turnout/ui';

export default function Devices() {
  const t = useWords('door');
  return <Page title={t('devices')} />;
}
