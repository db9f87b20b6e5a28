import type { Summary } from '@voisol/contract/energy'
import { localOf, rateOf, restOf, share, wholeOf } from '@voisol/contract/month-words'
import { wordsOf } from '@voisol/contract/side-words'
import { energy } from '../../../lib/format.ts'
import { Headline } from '../../../ui/stack/headline.tsx'
import { partsOf } from './figures.ts'
import type { Mine } from './my-points.ts'

const certainty = ({ definitive, stale, steps }: Summary) => {
  if (stale) return 'Des mesures ont été corrigées depuis\u00a0: ces chiffres vont être recalculés.'
  if (steps.allocated === 0) return ''
  return definitive ? 'Ces chiffres sont définitifs.' : 'Ces chiffres sont provisoires.'
}

/** The share one came for, and what it is made of. */
export function SideHeadline({ summary, mine }: { summary: Summary; mine: Mine }) {
  const { current } = summary
  const { side } = mine
  const [rate, words] = [rateOf(current, side), wordsOf(mine)]
  if (rate === null)
    return (
      <Headline
        label={words.whole}
        figure={energy(wholeOf(current, side))}
        sentence="La répartition de cette période n’a pas encore été calculée : la part locale n’est pas connue."
        parts={[]}
      />
    )
  const [local, rest] = [localOf(current, side), restOf(current, side)]
  return (
    <Headline
      label={words.part}
      figure={share(rate)}
      sentence={`${energy(local)} ${words.local}, ${energy(rest)} ${words.rest}. ${certainty(summary)}`}
      parts={partsOf(current, mine)}
      figures={false}
    />
  )
}
