import type { EnergySummary } from '@voisol/contract/energy'
import {
  formatRoundedShare,
  getLocalEnergy,
  getLocalRate,
  getRemainingEnergy,
  getTotalEnergy,
} from '@voisol/contract/month-words'
import { getSideTexts } from '@voisol/contract/side-words'
import { formatEnergy } from '../../../lib/format.ts'
import { Headline } from '../../../ui/stack/headline.tsx'
import { buildEnergyParts } from './figures.ts'
import type { OwnSide } from './my-points.ts'

const describeCertainty = ({ definitive, stale, steps }: EnergySummary) => {
  if (stale) return 'Des mesures ont été corrigées depuis\u00a0: ces chiffres vont être recalculés.'
  if (steps.allocated === 0) return ''
  return definitive ? 'Ces chiffres sont définitifs.' : 'Ces chiffres sont provisoires.'
}

/** The share one came for, and what it is made of. */
export function SideHeadline({ summary, mine }: { summary: EnergySummary; mine: OwnSide }) {
  const { current } = summary
  const { side } = mine
  const [rate, words] = [getLocalRate(current, side), getSideTexts(mine)]
  if (rate === null)
    return (
      <Headline
        label={words.whole}
        figure={formatEnergy(getTotalEnergy(current, side))}
        sentence="La répartition de cette période n’a pas encore été calculée : la part locale n’est pas connue."
        parts={[]}
      />
    )
  const [local, rest] = [getLocalEnergy(current, side), getRemainingEnergy(current, side)]
  return (
    <Headline
      label={words.part}
      figure={formatRoundedShare(rate)}
      sentence={`${formatEnergy(local)} ${words.local}, ${formatEnergy(rest)} ${words.rest}. ${describeCertainty(summary)}`}
      parts={buildEnergyParts(current, mine)}
      figures={false}
    />
  )
}
