// Operations that are agreed on and not declared yet. Each is left out as soon as the server declares one of the same id; then its
// line here can go.
const accounts = `
getSignInMethods GET /sign-in - SignInMethods
signInWithPassword POST /sign-in/password PasswordSignIn SignedIn
signInWithSecondFactor POST /sign-in/second-factor SecondFactorSignIn SignedIn
sendSignInLink POST /sign-in/mail EmailOnly -
signInWithLink POST /sign-in/link TokenOnly SignedIn
signInToSandbox POST /sign-in/sandbox TokenOnly SignedIn
startPasskeySignIn POST /sign-in/passkey/options - PasskeyOptions
signInWithPasskey POST /sign-in/passkey PasskeySignIn SignedIn
signOut POST /sign-out - -
sendSignUpLink POST /sign-up EmailOnly -
lookAtStart POST /start/look TokenOnly StartOffer
startOrganization POST /start StartOrganization SignedIn
lookAtInvitation POST /invitations/look TokenOnly InvitationOffer
acceptInvitation POST /invitations/accept InvitationAccept SignedIn
getAccount GET /account - Account
changeAccount PATCH /account AccountChange Account
setPassword POST /account/password PasswordChange Account
startTotp POST /account/totp - TotpOffer
confirmTotp POST /account/totp/confirm TotpConfirm RecoveryCodes
removeTotp DELETE /account/totp - -
renewRecoveryCodes POST /account/recovery-codes - RecoveryCodes
startOidcFromInvitation POST /sign-in/oidc TokenOnly OidcStarted
startPasskey POST /account/passkeys/options - PasskeyOptions
addPasskey POST /account/passkeys PasskeyAdd Passkey
changePasskey PATCH /account/passkeys/{passkey} PasskeyChange Passkey
removePasskey DELETE /account/passkeys/{passkey} - -
changeEmail POST /account/email EmailOnly -
confirmEmail POST /account/email/confirm TokenOnly -
listSessions GET /account/sessions - SessionList
endSession DELETE /account/sessions/{session} - -
endOtherSessions POST /account/sessions/end-others - -
reportClientError POST /client-errors ClientError -
`;
const members = `
getMembership GET /membership - Membership
leaveOrganization DELETE /membership - -
setDoorPin PUT /membership/pin PinChange -
removeDoorPin DELETE /membership/pin - -
listMembers GET /members - MemberList
changeMember PATCH /members/{member} MemberChange Member
removeMember DELETE /members/{member} - -
listInvitations GET /invitations - InvitationList
createInvitation POST /invitations InvitationCreate InvitationMade
sendInvitation POST /invitations/{invitation}/send - InvitationMade
withdrawInvitation DELETE /invitations/{invitation} - -
listKeys GET /keys - ApiKeyList
createKey POST /keys ApiKeyCreate ApiKeyMade
changeKey PATCH /keys/{key} ApiKeyChange ApiKey
revokeKey DELETE /keys/{key} - -
getOverview GET /overview - Overview
`;

/** Adds what is still missing to the operations that are declared. */
export function withComing(declared, which, named) {
  const schemas = new Map(named);
  const schema = (name) => (name === '-' ? null : schemas.get(name));
  const have = new Set(declared.map((one) => one.id));
  const lines = (which === 'accounts' ? accounts : members).trim().split('\n');
  const missing = lines.flatMap((line) => {
    const [id, method, path, body, reply] = line.split(' ');
    if (have.has(id) || schema(body) === undefined || schema(reply) === undefined) return [];
    return [{ id, method, path, reply: schema(reply), ...(body !== '-' && { body: schema(body) }) }];
  });
  return [...declared, ...missing];
}
