export { acrossOrganizationsRevokeKey, createKey, type KeyWanted, listKeys } from './keys.ts';
export { addMember, listMembers } from './members.ts';
export { operations } from './operations.ts';
export {
  acrossOrganizationsFind,
  acrossOrganizationsList,
  createOrganization,
  type OrganizationRow,
  organizationShape,
  setPlan,
} from './organizations.ts';
export { changeOrganization } from './settings.ts';
