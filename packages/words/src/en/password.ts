export default {
  passwordHint: 'At least 12 characters. A few words in a row are easy to remember.',
  passwordOptionalHint: 'At least 12 characters. Without a password, you sign in with a passkey or a link by e-mail.',
  passwordShort: 'Enter at least 12 characters.',
} as const;
