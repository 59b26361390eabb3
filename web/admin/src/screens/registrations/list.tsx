import { Page, useWords } from '@turnout/ui';

export default function Registrations() {
  const t = useWords('registrations');
  return <Page title={t('title')} />;
}
