/** Units of a product as people read them: `Bread workshop, with lunch × 2`. */
export const unitsText = ({
  name,
  option,
  quantity,
}: {
  name: string;
  option: string | null;
  quantity: number;
}): string => `${name}${option === null ? '' : `, ${option}`}${quantity === 1 ? '' : ` × ${quantity}`}`;
