import { useAllWords, useFormats, useWords } from '@turnout/ui';
import type { Writing } from '@turnout/words/point-sentence';
import { useMemo } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import { useGroups } from '../../../groups/tree.ts';

/** What sentences about check-in points are written with. A group that this member cannot see is called by its code. */
export function useWriting(): Writing {
  const t = useWords('policy');
  const formats = useFormats();
  const { version } = useAllWords();
  const { typeName, dayName, productName, pointName } = useEvent();
  const { data: groups } = useGroups();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words are others when their version is
  return useMemo(() => {
    const names = new Map(groups?.map(({ code, name }) => [code, name]));
    return {
      ...{ t, formats },
      names: {
        ...{ type: typeName, day: dayName, product: productName, point: pointName },
        group: (code: string) => names.get(code) ?? code,
      },
    };
  }, [t, formats, typeName, dayName, productName, pointName, groups, version]);
}
