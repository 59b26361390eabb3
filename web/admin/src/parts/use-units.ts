import type { Availability } from '@turnout/client';
import { useCall } from '../frame/api.ts';
import { useEvent } from '../frame/event.tsx';
import { useOrganization } from '../frame/organization.tsx';
import type { LeftOf } from './products-field.tsx';

export type Units = Pick<Availability['products'][number], 'capacity' | 'taken' | 'left'>;

/** How many units of products and of shared limits are taken, by their codes. Nothing for those who may not see people. */
export function useUnits() {
  const { base } = useEvent();
  const { may } = useOrganization();
  const { data, isLoading } = useCall('getAvailability', base, { enabled: may('people.read') });
  const ofProduct = (code: string): Units | undefined => data?.products.find(({ product }) => product === code);
  const ofOption = (code: string, option: string): Units | undefined =>
    data?.products.find(({ product }) => product === code)?.options.find((one) => one.option === option);
  const left: LeftOf = (product, option) =>
    (option === null ? ofProduct(product) : ofOption(product, option))?.left ?? null;
  return {
    /** Whether they are asked for and not known yet. */
    isWaiting: isLoading,
    ofProduct,
    ofOption,
    ofLimit: (code: string): Units | undefined => data?.quotas.find(({ quota }) => quota === code),
    left,
  };
}
