export default {
  linkTitle: 'Sign in',
  linkText: 'This link came by mail. One click, and you are signed in.',
  linkMissing: 'This link is not complete',
  linkMissingText: 'Its last part is missing. Copy the whole link from the mail, or have a new one sent to you.',
  linkNew: 'Have a new link sent',
  clearedTitle: 'Your address is proved',
  clearedText:
    'You have just shown that this e-mail address is yours. Whatever was set before that, such as a password, passkeys or a second factor, is gone, because somebody else might have set it. You can set it up again in your account.',
  toAccount: 'Go to your account',
  sandboxTitle: 'Look around in the sandbox',
  sandboxText:
    'The sandbox is an organization with made-up events and people. You are Robin Lake, who manages them. Try whatever you like: no mail is sent, no money moves, and nothing leaves the sandbox.',
  sandboxEnter: 'Enter the sandbox',
  sandboxShared: 'Everybody with this link sees the same sandbox.',
  sandboxInstead: 'You are signed in as {email}. Entering the sandbox signs you out in this browser.',
  sandboxMissingText: 'Its last part is missing. Copy the whole link from where Turnout was started.',
} as const;
