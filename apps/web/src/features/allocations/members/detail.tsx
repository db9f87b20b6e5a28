import { useQuery } from '@tanstack/react-query'
import { of } from '@voisol/contract/elision'
import type { Summary } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { type Point, points } from '@voisol/contract/points'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { prm, sideWord } from '../../../lib/energy-labels.ts'
import { energy, money, percent } from '../../../lib/format.ts'
import { pointName } from '../../../lib/point-name.ts'
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
import { batteryParts, consumptionParts, productionParts } from '../../../ui/stack/parts.ts'
import { useStartingPeriod } from '../starting-period.ts'
import { rate } from '../words.tsx'

const FlowCard = lazy(async () => ({ default: (await import('../flow-card.tsx')).FlowCard }))

const neighbours = ({ neighbours: others }: Summary) =>
  others ? ` La moyenne des autres membres est de ${percent(others.selfProduction)}.` : ''
const worth = ({ current }: Summary) =>
  current.valueCents === null ? '' : `, soit ${money(current.valueCents)} hors taxes`

function BatteryHeadline({ point, summary }: { point: Point; summary: Summary }) {
  const { current } = summary
  return point.direction === 'production' ? (
    <Headline
      label="Part de la décharge affectée"
      figure={rate(current.selfConsumption)}
      sentence={`${energy(current.produced)} restitués, ${energy(current.shared)} consommés par les voisins${worth(summary)}.`}
      parts={batteryParts(point.direction, {
        local: current.shared,
        rest: current.surplus,
        pending: current.pendingProduced,
      })}
    />
  ) : (
    <Headline
      label="Part locale de la charge"
      figure={rate(current.selfProduction)}
      sentence={`${energy(current.consumed)} chargés, ${energy(current.allocated)} venus de l’opération.`}
      parts={batteryParts(point.direction, {
        local: current.allocated,
        rest: current.complement,
        pending: current.pendingConsumed,
      })}
    />
  )
}

/** The answer first: how much of what this member drew or made stayed here. */
function MemberHeadline({ point, summary }: { point: Point; summary: Summary }) {
  const { current } = summary
  if (point.storage) return <BatteryHeadline point={point} summary={summary} />
  return point.direction === 'production' ? (
    <Headline
      label="Part de la production partagée"
      figure={rate(current.selfConsumption)}
      sentence={`${energy(current.produced)} produits, ${energy(current.shared)} consommés par les voisins${worth(summary)}.`}
      parts={productionParts(current)}
    />
  ) : (
    <Headline
      label="Part locale de la consommation"
      figure={rate(current.selfProduction)}
      sentence={`${energy(current.consumed)} consommés, ${energy(current.allocated)} venus de l’opération${worth(summary)}.${neighbours(summary)}`}
      parts={consumptionParts(current)}
    />
  )
}

function useBack() {
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
  const back = useBack()
  const { companyId } = useUser()
  const { data: point, error, refetch } = useQuery(query(points.get, { params: { id: pointId } }))
  const { data: operation } = useQuery({
    ...query(operations.get, { params: { id: operationId ?? '' } }),
    enabled: operationId !== undefined,
  })
  const where = { pointId, operationId }
  const name = point ? pointName(point) : 'Membre'
  const open = new URLSearchParams({ membre: pointId, ...(operationId && { dans: operationId }) })
  useOpenName(point && name, 'Répartition d’un membre', `/member-distribution?${open}`)
  return (
    <>
      <PageHeader
        title={name}
        description={point && [sideWord(point), prm(point.prm), operation?.name].filter(Boolean).join(' · ')}
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
          <EnergyExplorer title={`Énergie ${of(name)}`} where={where} unitPrice={operation?.unitPrice ?? null}>
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
