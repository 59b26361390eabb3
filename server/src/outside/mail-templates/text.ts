import type { Letter } from './mail.ts';

/** The mail as plain text, with the same content in the same order as the HTML. */
export function textOf(letter: Letter): string {
  const { colon, quote, payment, people, together, tickets, action, calendar } = letter;
  const widest = Math.max(...letter.facts.map((fact) => fact.label.length));
  const blocks: (string[] | null)[] = [
    [letter.greeting],
    [letter.title.replace(/[.!]?$/, '.')],
    ...letter.paragraphs.map((paragraph) => [paragraph]),
    quote && [`${quote.label}${colon}`, ...quote.lines.map((line) => `> ${line}`.trimEnd())],
    payment && [`${payment.label}${colon}`, ...payment.lines],
    [letter.event.name, ...letter.event.lines],
    letter.facts.map(({ label, value }) => `${`${label}${colon}`.padEnd(widest + colon.length + 1)}${value}`),
    people && linesOf(people, colon),
    together && linesOf(together, colon),
    tickets && [
      `${tickets.label}${colon}`,
      ...tickets.rows.flatMap(({ code, people: names, link }) => [
        `- ${[code, names].filter(Boolean).join(' · ')}`,
        ...(link === null ? [] : [`  ${letter.openTicket}${colon} ${link}`]),
      ]),
      ...(tickets.more === null ? [] : [`  ${tickets.more}`]),
    ],
    action && [`${action.label}${colon}`, action.url],
    calendar && [`${calendar.label}${colon}`, calendar.url],
    [letter.signOff, letter.organization],
    ['-- ', letter.footer],
  ];
  return `${blocks.flatMap((block) => (block === null ? [] : [block.join('\n')])).join('\n\n')}\n`;
}

const linesOf = ({ label, rows, more }: NonNullable<Letter['people']>, colon: string): string[] => [
  `${label}${colon}`,
  ...rows.flatMap(({ name, details, amount, link }) => [
    `- ${[name, ...details, amount].filter(Boolean).join(' · ')}`,
    ...(link === null ? [] : [`  ${link.label}${colon} ${link.url}`]),
  ]),
  ...(more === null ? [] : [`  ${more}`]),
];
