import { useQuery } from '@tanstack/react-query'
import { type EnedisCredential, enedis } from '@voisol/contract/enedis'
import { useMemo } from 'react'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FaultNote } from '../../ui/fault.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ConnectionChoice, useConnectionChoice } from './connection-choice.tsx'
import { AgreementChoice } from './explorer/agreements.tsx'
import { groupPointsBySide } from './explorer/model.ts'
import { PointsCard, usePerimeter } from './explorer/points-card.tsx'
import { SeriesPanel } from './explorer/series-panel.tsx'
import { useExplorerChoice } from './explorer/use-choice.ts'
import type { SeriesRequest } from './explorer/use-series.ts'
import { NoConnectionAvailable } from './no-way.tsx'
import { useEnedisOverview } from './use-overview.ts'

const useAgreements = (through: SeriesRequest['through'], enabled: boolean) =>
  useQuery({ ...query(enedis.agreements, { query: through }), enabled })

function AgreementList({ list, value }: { list: ReturnType<typeof useAgreements>; value: string }) {
  const { choose } = useExplorerChoice()
  const { data, error, refetch } = list
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  if (data.trace.fault) return <FaultNote fault={data.trace.fault} />
  if (data.items.length === 0)
    return <p className="text-body text-ink-soft">Le distributeur ne montre aucune convention à cette connexion.</p>
  return (
    <AgreementChoice
      items={data.items}
      value={value}
      onChange={(acc) => choose({ acc, point: undefined, types: undefined })}
    />
  )
}

type AvailableConnections = { credentials: EnedisCredential[]; sandboxUrl: string | null }

function AgreementExplorer(known: AvailableConnections) {
  const connection = useConnectionChoice(known)
  const { acc, point: requestedPointId, choose } = useExplorerChoice()
  const { through } = connection
  const list = useAgreements(through, connection.options.length > 0)
  const items = list.data?.items ?? []
  const agreement = items.find((one) => one.acc === acc) ?? items[0]
  const perimeter = usePerimeter(agreement?.acc ?? '', through)
  const points = useMemo(() => groupPointsBySide(perimeter.data?.points ?? []), [perimeter.data])
  const point = points.find(({ id }) => id === requestedPointId)
  if (connection.options.length === 0) return <NoConnectionAvailable />
  return (
    <div className="grid gap-6 xl:grid-cols-[22rem_minmax(0,1fr)] xl:items-start [&>*]:min-w-0">
      <div className="grid gap-6 md:grid-cols-2 md:items-start xl:grid-cols-1 [&>*]:min-w-0">
        <Card title="Conventions">
          <div className="grid gap-5 [&>*]:min-w-0">
            <ConnectionChoice {...connection} />
            <AgreementList list={list} value={agreement?.acc ?? ''} />
          </div>
        </Card>
        {agreement && (
          <PointsCard
            key={agreement.acc}
            perimeter={perimeter}
            points={points}
            value={point?.id ?? ''}
            onChange={(chosen) => choose({ point: chosen, types: undefined })}
          />
        )}
      </div>
      {agreement ? (
        <SeriesPanel agreement={agreement} point={point} through={through} />
      ) : (
        list.data && (
          <Card>
            <EmptyState
              title="Aucune convention à explorer"
              why="Une convention apparaît ici quand le distributeur la rattache à vos identifiants. Essayez une autre connexion."
              action={
                <ButtonLink variant="secondary" to="/enedis-api">
                  Voir les connexions à Enedis
                </ButtonLink>
              }
            />
          </Card>
        )
      )}
    </div>
  )
}

/** What the distributor knows of an agreement: its points, its series, and what it answers word for word. */
export default function V4Explorer() {
  const { data, error, refetch } = useEnedisOverview()
  return (
    <>
      <PageHeader
        title="Explorateur V4"
        description="Vos conventions chez le distributeur&nbsp;: leurs points, leurs séries, ses réponses."
      />
      {data ? (
        <AgreementExplorer {...data} />
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <Skeleton className="h-96 w-full" />
      )}
    </>
  )
}
