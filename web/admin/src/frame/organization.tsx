import type { Membership } from '@turnout/client';
import { createContext, useContext } from 'react';

/** The organization last worked in, for the next visit of /app. */
export const LAST_ORGANIZATION = 'turnout.organization';

type Permission = Membership['member']['permissions'][number];

export interface Organization extends Membership {
  /** The code of the organization as it stands in the address: the `org` of every call. */
  org: string;
  may: (permission: Permission) => boolean;
}

export const OrganizationContext = createContext<Organization | null>(null);

/** The organization that the screen is about, and what this member may do in it. */
export function useOrganization(): Organization {
  const organization = useContext(OrganizationContext);
  if (organization === null) throw new Error('This screen is not below /app/{org}.');
  return organization;
}
