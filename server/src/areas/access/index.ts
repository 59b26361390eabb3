export { acrossOrganizationsRevokeKey, createKey, type KeyWanted } from './keys.ts';
export { addMember, openSession } from './members.ts';
export { operations } from './operations.ts';
export {
  acrossOrganizationsFind,
  createOrganization,
  type OrganizationRow,
  organizationShape,
  setPlan,
} from './organizations.ts';
