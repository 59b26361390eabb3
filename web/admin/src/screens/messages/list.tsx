import { Page, useWords } from '@turnout/ui';

export default function Messages() {
  const t = useWords('messages');
  return <Page title={t('title')} />;
}
