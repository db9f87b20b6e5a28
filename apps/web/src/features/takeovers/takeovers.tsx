import { useQuery } from '@tanstack/react-query'
import { takeovers } from '@voisol/contract/takeovers'
import { query } from '../../lib/queries.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { OperationSelector } from '../../ui/operation-choice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LastReadings } from './last-readings.tsx'
import { PastDocuments } from './past-documents.tsx'
import { InvoiceSequencesCard } from './series.tsx'
import { MonthComparison } from './shadow.tsx'

function OperationTakeover({ operationId }: { operationId: string }) {
  const { data, error, refetch } = useQuery(query(takeovers.documents, { query: { operationId } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const months = [...new Set(data.items.map(({ month }) => month))].sort().reverse()
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <PastDocuments operationId={operationId} items={data.items} />
      {months.length > 0 && <MonthComparison operationId={operationId} months={months} />}
      <LastReadings operationId={operationId} />
      <InvoiceSequencesCard />
    </div>
  )
}

/** Moving in: what was invoiced elsewhere, held against our own computation before the first month is closed here. */
export default function Takeovers() {
  return (
    <OperationSelector why="Une reprise est celle d’une opération.">
      {({ id }) => <OperationTakeover operationId={id} />}
    </OperationSelector>
  )
}
