import { Page, useWords } from '@turnout/ui';

export default function Contacts() {
  const t = useWords('contacts');
  return <Page title={t('title')} />;
}
