export { choicesOf } from './key-actions.ts';
export { mailOwnersOfKey } from './key-mails.ts';
export { allKeys } from './key-rows.ts';
export { acrossOrganizationsRevokeKey, createKey, type KeyFields, keyFaults } from './keys.ts';
export { addMember, listMembers } from './members.ts';
export { operations } from './operations.ts';
export {
  acrossOrganizationsFind,
  acrossOrganizationsList,
  createOrganization,
  organizationShape,
  setPlan,
} from './organizations.ts';
export { changeOrganization, requireLiveSettings, setLogo } from './settings.ts';
