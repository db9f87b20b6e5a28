import { useQuery } from '@tanstack/react-query'
import { withDe } from '@voisol/contract/elision'
import type { EnergySummary } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { type Point, points } from '@voisol/contract/points'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { formatPrm, getMeterSideLabel } from '../../../lib/energy-labels.ts'
import { formatEnergy, formatMoney, formatPercent } from '../../../lib/format.ts'
import { formatPointName } from '../../../lib/point-name.ts'
import { query } from '../../../lib/queries.ts'
import { useUser } from '../../../lib/session.ts'
import { useOpenName } from '../../../lib/subject.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EnergyExplorer } from '../../../ui/energy-explorer/energy-explorer.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { usePeriod } from '../../../ui/period/use-period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Headline } from '../../../ui/stack/headline.tsx'
import { buildBatteryParts, buildConsumptionParts, buildProductionParts } from '../../../ui/stack/parts.ts'
import { useStartingPeriod } from '../starting-period.ts'
import { formatRate } from '../words.tsx'

const FlowCard = lazy(async () => ({ default: (await import('../flow-card.tsx')).FlowCard }))

const formatNeighbourAverage = ({ neighbours: others }: EnergySummary) =>
  others ? ` La moyenne des autres membres est de ${formatPercent(others.selfProduction)}.` : ''
const formatValueClause = ({ current }: EnergySummary) =>
  current.valueCents === null ? '' : `, soit ${formatMoney(current.valueCents)} hors taxes`

function BatteryHeadline({ point, summary }: { point: Point; summary: EnergySummary }) {
  const { current } = summary
  return point.direction === 'production' ? (
    <Headline
      label="Part de la décharge affectée"
      figure={formatRate(current.selfConsumption)}
      sentence={`${formatEnergy(current.produced)} restitués, ${formatEnergy(current.shared)} consommés par les voisins${formatValueClause(summary)}.`}
      parts={buildBatteryParts(point.direction, {
        local: current.shared,
        rest: current.surplus,
        pending: current.pendingProduced,
      })}
    />
  ) : (
    <Headline
      label="Part locale de la charge"
      figure={formatRate(current.selfProduction)}
      sentence={`${formatEnergy(current.consumed)} chargés, ${formatEnergy(current.allocated)} venus de l’opération.`}
      parts={buildBatteryParts(point.direction, {
        local: current.allocated,
        rest: current.complement,
        pending: current.pendingConsumed,
      })}
    />
  )
}

/** The answer first: how much of what this member drew or made stayed here. */
function MemberHeadline({ point, summary }: { point: Point; summary: EnergySummary }) {
  const { current } = summary
  if (point.storage) return <BatteryHeadline point={point} summary={summary} />
  return point.direction === 'production' ? (
    <Headline
      label="Part de la production partagée"
      figure={formatRate(current.selfConsumption)}
      sentence={`${formatEnergy(current.produced)} produits, ${formatEnergy(current.shared)} consommés par les voisins${formatValueClause(summary)}.`}
      parts={buildProductionParts(current)}
    />
  ) : (
    <Headline
      label="Part locale de la consommation"
      figure={formatRate(current.selfProduction)}
      sentence={`${formatEnergy(current.consumed)} consommés, ${formatEnergy(current.allocated)} venus de l’opération${formatValueClause(summary)}.${formatNeighbourAverage(summary)}`}
      parts={buildConsumptionParts(current)}
    />
  )
}

function useBackLink() {
  const [search] = useSearchParams()
  const params = new URLSearchParams(search)
  for (const name of ['membre', 'dans']) params.delete(name)
  return `/member-distribution?${params}`
}

/** One member through time, with whom energy was shared. */
export function MemberDetail({ pointId }: { pointId: string }) {
  const [search] = useSearchParams()
  const isReady = useStartingPeriod(null)
  const [period] = usePeriod('month')
  const operationId = search.get('dans') ?? undefined
  const back = useBackLink()
  const { companyId } = useUser()
  const { data: point, error, refetch } = useQuery(query(points.get, { params: { id: pointId } }))
  const { data: operation } = useQuery({
    ...query(operations.get, { params: { id: operationId ?? '' } }),
    enabled: operationId !== undefined,
  })
  const where = { pointId, operationId }
  const name = point ? formatPointName(point) : 'Membre'
  const open = new URLSearchParams({ membre: pointId, ...(operationId && { dans: operationId }) })
  useOpenName(point && name, 'Répartition d’un membre', `/member-distribution?${open}`)
  return (
    <>
      <PageHeader
        title={name}
        description={
          point && [getMeterSideLabel(point), formatPrm(point.prm), operation?.name].filter(Boolean).join(' · ')
        }
        actions={
          <>
            <ButtonLink variant="secondary" icon={<ArrowLeft aria-hidden="true" />} to={back}>
              Tous les membres
            </ButtonLink>
            {operationId && (
              <ButtonLink
                variant="secondary"
                to={`/companies/${companyId}/operations/${operationId}/load-curves/${pointId}`}
              >
                Voir sa courbe
              </ButtonLink>
            )}
          </>
        }
      />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!(point && isReady) && !error && <Skeleton className="h-96 w-full" />}
      {point && isReady && (
        <div className="grid gap-5 [&>*]:min-w-0">
          <EnergyExplorer title={`Énergie ${withDe(name)}`} where={where} unitPrice={operation?.unitPrice ?? null}>
            {({ summary: { data } }) =>
              data ? <MemberHeadline point={point} summary={data} /> : <Skeleton className="h-32 w-full" />
            }
          </EnergyExplorer>
          <Suspense fallback={<Skeleton className="h-96 w-full" />}>
            <FlowCard where={where} period={period} title="D’où vient et où va l’énergie" />
          </Suspense>
        </div>
      )}
    </>
  )
}
