import { Badge, useFormats, useWords } from '@turnout/ui';

/** Scans that wait at a device until it has a network. */
export function Queue({ length }: { length: number | null }) {
  const t = useWords('door');
  if (length === null) return '–';
  return length > 0 ? <Badge tone="warn">{t('waiting', { count: length })}</Badge> : <span>0</span>;
}

const LOW = 20;
export function Battery({ level }: { level: number | null }) {
  const formats = useFormats();
  if (level === null) return '–';
  const text = formats.percent(level / 100);
  return level <= LOW ? <Badge tone="bad">{text}</Badge> : <span className="number">{text}</span>;
}
