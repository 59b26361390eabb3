import { Page, useWords } from '@turnout/ui';

export default function Attendance() {
  const t = useWords('door');
  return <Page title={t('attendance')} />;
}
