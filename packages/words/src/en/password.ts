export default {
  passwordHint: 'At least 12 characters. A few words in a row are easy to remember.',
  passwordOptionalHint: 'At least 12 characters. Without one, you sign in with a passkey or a link by mail.',
  passwordShort: 'Use at least 12 characters.',
} as const;
