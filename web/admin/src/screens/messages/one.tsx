import { Page, useWords } from '@turnout/ui';

export default function OneMessage() {
  const t = useWords('messages');
  return <Page title={t('one')} />;
}
