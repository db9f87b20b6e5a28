import type { Summary } from '@voisol/contract/energy'
import { energy } from '../../../lib/format.ts'
import { Headline } from '../../../ui/stack/headline.tsx'
import { localOf, partsOf, rateOf, restOf, share, wholeOf } from './figures.ts'
import type { Side } from './my-points.ts'

const WORDS: Record<Side, { label: string; local: string; rest: string }> = {
  consumption: { label: 'Part locale', local: 'sont venus des toits voisins', rest: 'du réseau' },
  production: { label: 'Part partagée', local: 'ont été partagés avec vos voisins', rest: 'sont partis en surplus' },
}

const certainty = ({ definitive, stale, steps }: Summary) => {
  if (stale) return 'Des mesures ont été corrigées depuis\u00a0: ces chiffres vont être recalculés.'
  if (steps.allocated === 0) return ''
  return definitive ? 'Ces chiffres sont définitifs.' : 'Ces chiffres sont provisoires.'
}

/** The share one came for, and what it is made of. */
export function SideHeadline({ summary, side }: { summary: Summary; side: Side }) {
  const { current } = summary
  const [rate, words] = [rateOf(current, side), WORDS[side]]
  if (rate === null)
    return (
      <Headline
        label={side === 'consumption' ? 'Consommation' : 'Production'}
        figure={energy(wholeOf(current, side))}
        sentence="La répartition de cette période n’a pas encore été calculée : la part locale n’est pas connue."
        parts={[]}
      />
    )
  const [local, rest] = [localOf(current, side), restOf(current, side)]
  return (
    <Headline
      label={words.label}
      figure={share(rate)}
      sentence={`${energy(local)} ${words.local}, ${energy(rest)} ${words.rest}. ${certainty(summary)}`}
      parts={partsOf(current, side)}
    />
  )
}
