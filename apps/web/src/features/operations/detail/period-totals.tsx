import type { UseQueryResult } from '@tanstack/react-query'
import type { Summary } from '@voisol/contract/energy'
import { energyLike, number, percent, plural } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { SummaryStrip } from '../../../ui/detail-screen.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

const rate = (value: number | null) => (value === null ? '–' : percent(value))

/** How sure the figures are, in words. */
function Certainty({ stale, definitive, steps }: Summary) {
  const words = [
    steps.excluded > 0 &&
      `${plural(steps.excluded, 'relevé laissé', 'relevés laissés')} hors de la répartition, faute de données`,
    steps.estimated > 0 && plural(steps.estimated, 'relevé estimé', 'relevés estimés'),
    steps.expected > steps.received && `${number(steps.received)} relevés reçus sur ${number(steps.expected)} attendus`,
  ].filter(Boolean)
  const shared = steps.allocated > 0
  return (
    <p className="flex flex-wrap items-center gap-2 text-[0.8125rem] text-ink-soft">
      {stale && <Badge tone="warning">À recalculer</Badge>}
      {shared &&
        !stale &&
        (definitive ? <Badge tone="success">Définitif</Badge> : <Badge tone="info">Provisoire</Badge>)}
      {!shared && <Badge tone="neutral">Pas encore réparti</Badge>}
      {words.length > 0 && `${words.join(', ')}.`}
    </p>
  )
}

export function PeriodTotals({ summary: { data } }: { summary: UseQueryResult<Summary> }) {
  if (!data) return <Skeleton className="h-20 w-full" />
  const { produced, consumed, shared, surplus, pendingProduced, selfConsumption, selfProduction } = data.current
  if (data.steps.received === 0) return null
  // Before a run nothing is known of what was shared: that is no zero.
  const energy = energyLike([produced, shared, surplus, consumed])
  const known = (value: number) => (data.steps.allocated > 0 ? energy(value) : '–')
  return (
    <div className="grid gap-2 [&>*]:min-w-0">
      <SummaryStrip
        facts={[
          { label: 'Production', value: energy(produced) },
          { label: 'Énergie partagée', value: known(shared) },
          { label: 'Surplus', value: known(surplus) },
          ...(pendingProduced > 0 ? [{ label: 'Pas encore réparti', value: energy(pendingProduced) }] : []),
          { label: 'Consommation', value: energy(consumed) },
          { label: 'Autoconsommation', value: rate(selfConsumption) },
          { label: 'Autoproduction', value: rate(selfProduction) },
        ]}
      />
      <Certainty {...data} />
    </div>
  )
}
