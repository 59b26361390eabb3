export default {
  linkTitle: 'Sign in',
  linkText: 'You opened the link from our e-mail. One click signs you in.',
  linkMissing: 'This link is incomplete',
  linkMissingText: 'The end of the link is missing. Copy the whole link from the e-mail, or get a new one.',
  linkNew: 'Get a new link',
  clearedTitle: 'Your e-mail is verified',
  clearedText:
    'To keep your account safe, we removed the password, passkeys and second factor that were set before: another person might have set them. You can set them up again in your account.',
  toAccount: 'Go to your account',
  sandboxTitle: 'Explore the sandbox',
  sandboxText:
    'The sandbox is an organization with made-up events and people. You’re Robin Lake, who manages them. Try anything: no e-mail is sent, no money moves, and nothing leaves the sandbox.',
  sandboxEnter: 'Enter the sandbox',
  sandboxShared: 'Everyone with this link sees the same sandbox.',
  sandboxInstead: 'You’re signed in as {email}. Entering the sandbox signs you out in this browser.',
  sandboxMissingText: 'The end of the link is missing. Copy the whole link that Turnout printed when it started.',
} as const;
