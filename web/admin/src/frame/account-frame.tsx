import { Outlet } from '@tanstack/react-router';
import { Skeleton } from '@turnout/ui';
import { useCall } from './api.ts';
import { Failure } from './failures.tsx';
import { Shell } from './shell.tsx';

/** Around the screens of a signed-in person that belong to no organization. */
export default function AccountFrame() {
  const { data, error, refetch } = useCall('getAccount', {});
  if (error !== null && data === undefined) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton />;
  return (
    <Shell>
      <Outlet />
    </Shell>
  );
}
