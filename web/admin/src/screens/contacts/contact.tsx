import { Page, useWords } from '@turnout/ui';

export default function OneContact() {
  const t = useWords('contacts');
  return <Page title={t('one')} />;
}
