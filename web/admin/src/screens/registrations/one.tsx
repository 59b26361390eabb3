import { Page, useWords } from '@turnout/ui';

export default function OneRegistration() {
  const t = useWords('registrations');
  return <Page title={t('one')} />;
}
