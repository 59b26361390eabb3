import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';

/** Who paid. A payment names only its registration; only rows near the screen are drawn, so few are asked for. */
export function Payer({ registration }: { registration: string }) {
  const { base } = useEvent();
  const { data } = useCall('getRegistration', { ...base, registration });
  if (data === undefined) return <span className="soft">…</span>;
  const { first_name, last_name } = data.contact;
  return (
    <>
      <bdi>{[first_name, last_name].filter(Boolean).join(' ') || data.code}</bdi>{' '}
      <span className="soft small">{data.code}</span>
    </>
  );
}
