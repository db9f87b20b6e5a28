import { useQuery } from '@tanstack/react-query'
import { RegulatoryKind, regulatory } from '@voisol/contract/regulatory'
import { query } from '../../lib/queries.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { OperationSelector } from '../../ui/operation-choice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RegulatoryKindCard } from './kind-card.tsx'

function KindCards({ operationId }: { operationId: string }) {
  const { data, error, refetch } = useQuery(query(regulatory.list, { query: { operationId } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <div className="grid gap-4 xl:grid-cols-2 [&>*]:min-w-0">
      {RegulatoryKind.options.map((kind) => (
        <RegulatoryKindCard
          key={kind}
          kind={kind}
          operationId={operationId}
          versions={data.items.filter((item) => item.kind === kind)}
          offer={data.offers.find((offer) => offer.kind === kind)}
        />
      ))}
    </div>
  )
}

/** Each paper of an operation: what it would say today, its versions, and where they went. */
export default function RegulatoryExports() {
  return (
    <OperationSelector why="Ces pièces sont celles d’une opération.">
      {({ id }) => <KindCards operationId={id} />}
    </OperationSelector>
  )
}
