/** A language that somebody has begun, with one fault of each kind. */
export default {
  add: '',
  deleteTitle: 'Usunąć {nazwa}?',
  title: '{@grupy}',
  nowa: 'Nowa',
};
