export default {
  ticket: 'Bilet',
  hint: ' Prosimy o okazanie kodu przy wejściu.',
  people: { one: 'Uczestnik', other: 'Uczestnicy' },
  days: { one: 'Ważny dnia', few: 'Ważny w dniach', many: 'Ważny w dniach', other: 'Ważny w dniach' },
  registration: '{@Registration}',
  terms: 'Warunki',
  test: 'Test',
  testNote: 'Nie uprawnia do wejścia',
  more: 'i {more} więcej',
};
