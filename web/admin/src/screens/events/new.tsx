import { Page, useWords } from '@turnout/ui';

export default function NewEvent() {
  const t = useWords('events');
  return <Page title={t('newTitle')} />;
}
