import { InvitationAccept, InvitationOffer, SignedIn, TokenOnly } from '@turnout/contract';
import { accountOperation } from '../accounts/index.ts';
import { acceptInvitation } from './accept.ts';
import { lookAtInvitation } from './offer.ts';

/** What somebody does with an invitation who may not even have an account yet. */
export const accountOperations = [
  accountOperation({
    id: 'lookAtInvitation',
    method: 'POST',
    path: '/invitations/look',
    session: 'none',
    body: TokenOnly,
    reply: InvitationOffer,
    refusals: ['link_not_valid'],
    summary: 'See what an invitation offers',
    handle: lookAtInvitation,
  }),
  accountOperation({
    id: 'acceptInvitation',
    method: 'POST',
    path: '/invitations/accept',
    session: 'none',
    refusedWhenReadOnly: true,
    body: InvitationAccept,
    reply: SignedIn,
    refusals: [
      'link_not_valid',
      'sign_in_required',
      'sandbox_account',
      'sign_in_throttled',
      'invalid_state',
      'unavailable',
      'instance_read_only',
    ],
    summary: 'Accept an invitation',
    handle: acceptInvitation,
  }),
];
