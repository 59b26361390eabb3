import { Page, useWords } from '@turnout/ui';

export default function NewMessage() {
  const t = useWords('messages');
  return <Page title={t('newTitle')} />;
}
