import type { UseQueryResult } from '@tanstack/react-query'
import type { EnergySummary } from '@voisol/contract/energy'
import type { Operation } from '@voisol/contract/operations'
import { Badge } from '../../../../components/badge.tsx'
import { ButtonLink } from '../../../../components/button.tsx'
import { SummaryStrip } from '../../../../components/detail-screen.tsx'
import { EnergyExplorer } from '../../../../components/energy-explorer/energy-explorer.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { createEnergyFormatter, formatCount, formatNumber, formatPercent } from '../../../../lib/format.ts'
import { useSession } from '../../../../lib/session.ts'

/** The operation through time: what was produced, shared, drawn from the grid. */
export default function EnergyTab({ operation }: { operation: Operation }) {
  const { user } = useSession()
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <EnergyExplorer
        title={`Énergie de ${operation.name}`}
        where={{ operationId: operation.id }}
        unitPrice={operation.unitPrice}
      >
        {({ summary }) => <PeriodTotals summary={summary} />}
      </EnergyExplorer>
      <div className="flex flex-wrap gap-2">
        <ButtonLink
          variant="secondary"
          to={`/companies/${user?.companyId ?? ''}/operations/${operation.id}/load-curves`}
        >
          Courbes de charge et imports
        </ButtonLink>
        <ButtonLink variant="secondary" to={`/acc-operations/${operation.id}/energy-distribution`}>
          Répartition entre participants
        </ButtonLink>
      </div>
    </div>
  )
}

const formatRate = (value: number | null) => (value === null ? '–' : formatPercent(value))

/** How sure the figures are, in words. */
function Certainty({ stale, definitive, steps }: EnergySummary) {
  const notes = [
    steps.excluded > 0 &&
      `${formatCount(steps.excluded, 'relevé laissé', 'relevés laissés')} hors de la répartition, faute de données`,
    steps.estimated > 0 && formatCount(steps.estimated, 'relevé estimé', 'relevés estimés'),
    steps.expected > steps.received &&
      `${formatNumber(steps.received)} relevés reçus sur ${formatNumber(steps.expected)} attendus`,
  ].filter(Boolean)
  const shared = steps.allocated > 0
  return (
    <p className="flex flex-wrap items-center gap-2 text-[0.8125rem] text-ink-soft">
      {stale && <Badge tone="warning">À recalculer</Badge>}
      {shared &&
        !stale &&
        (definitive ? <Badge tone="success">Définitif</Badge> : <Badge tone="info">Provisoire</Badge>)}
      {!shared && <Badge tone="neutral">Pas encore réparti</Badge>}
      {notes.length > 0 && `${notes.join(', ')}.`}
    </p>
  )
}

function PeriodTotals({ summary: { data } }: { summary: UseQueryResult<EnergySummary> }) {
  if (!data) return <Skeleton className="h-20 w-full" />
  const { produced, consumed, shared, surplus, pendingProduced, selfConsumption, selfProduction } = data.current
  if (data.steps.received === 0) return null
  // Before a run nothing is known of what was shared: that is no zero.
  const energy = createEnergyFormatter([produced, shared, surplus, consumed])
  const formatIfAllocated = (value: number) => (data.steps.allocated > 0 ? energy(value) : '–')
  return (
    <div className="grid gap-2 [&>*]:min-w-0">
      <SummaryStrip
        facts={[
          { label: 'Production', value: energy(produced) },
          { label: 'Énergie partagée', value: formatIfAllocated(shared) },
          { label: 'Surplus', value: formatIfAllocated(surplus) },
          ...(pendingProduced > 0 ? [{ label: 'Pas encore réparti', value: energy(pendingProduced) }] : []),
          { label: 'Consommation', value: energy(consumed) },
          { label: 'Autoconsommation', value: formatRate(selfConsumption) },
          { label: 'Autoproduction', value: formatRate(selfProduction) },
        ]}
      />
      <Certainty {...data} />
    </div>
  )
}
