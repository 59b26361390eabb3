export default {
  title: 'Form',
  days: '{@Days}',
  types: 'Types and prices',
  questions: 'Questions',
} as const;
