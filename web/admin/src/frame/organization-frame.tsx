import { Outlet, useParams } from '@tanstack/react-router';
import { type Membership, Problem } from '@turnout/client';
import { applyAccent, ProblemNotice, Skeleton, storeChoice } from '@turnout/ui';
import { useEffect, useMemo } from 'react';
import { useCall } from './api.ts';
import { Failure } from './failures.tsx';
import { LAST_ORGANIZATION, type Organization, OrganizationContext } from './organization.tsx';
import { Palette } from './palette.tsx';
import { Shell } from './shell.tsx';
import { WatchedJobs } from './watched-jobs.tsx';
import { DEFAULT_NOUNS, words } from './words.ts';

/** Around every screen of an organization: who one is there, its colour, its words. */
export default function OrganizationFrame() {
  const { org } = useParams({ strict: false }) as { org: string };
  const { data, error, refetch } = useCall('getMembership', { org });
  useLook(data);
  const organization = useMemo<Organization | null>(
    () => (data === undefined ? null : { ...data, org, may: (one) => data.member.permissions.includes(one) }),
    [data, org],
  );
  if (error !== null && (organization === null || !passes(error)))
    return <Failure error={error} retry={() => void refetch()} />;
  if (organization === null) return <Skeleton />;
  return (
    <OrganizationContext value={organization}>
      <Palette>
        <Shell>
          {isSignedOut(error) && <ProblemNotice problem={error} />}
          <Outlet />
        </Shell>
        <WatchedJobs />
      </Palette>
    </OrganizationContext>
  );
}

const isSignedOut = (error: Error | null): boolean => error instanceof Problem && error.code === 'sign_in_required';

/** What is over once somebody has signed in again or the server answers. Until then the screen stays, with what was typed into it. */
const passes = (error: Error): boolean =>
  isSignedOut(error) || (error instanceof Problem && (error.unanswered || error.status >= 500));

function useLook(membership: Membership | undefined): void {
  useEffect(() => {
    if (membership === undefined) return;
    applyAccent(membership.organization.accent);
    words.callThings(membership.terminology, DEFAULT_NOUNS);
    storeChoice(LAST_ORGANIZATION, membership.organization.code);
    return () => {
      applyAccent(null);
      words.callThings(null, DEFAULT_NOUNS);
    };
  }, [membership]);
}
