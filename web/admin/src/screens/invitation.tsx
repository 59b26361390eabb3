import { PlainPage, useWords } from '@turnout/ui';

export default function Screen() {
  const t = useWords('start');
  return <PlainPage title={t('title')} />;
}
