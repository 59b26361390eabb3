import { Page, useWords } from '@turnout/ui';

export default function NewRegistration() {
  const t = useWords('registrations');
  return <Page title={t('newTitle')} />;
}
