import { useQuery } from '@tanstack/react-query'
import { type EnergyExplanation, why } from '@voisol/contract/why'
import Printer from 'lucide-react/icons/printer'
import type { ReactNode } from 'react'
import { query } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

export type ExplanationRequest = { operationId: string; participantId: string; month: string }

export const PrintButton = () => (
  <Button variant="secondary" icon={<Printer aria-hidden="true" />} onClick={() => window.print()}>
    Imprimer
  </Button>
)

export function ExplanationLoader({
  asked: request,
  children,
}: {
  asked: ExplanationRequest
  children: (found: EnergyExplanation) => ReactNode
}) {
  const { operationId, participantId: id, month } = request
  const { data, error, refetch } = useQuery(query(why.get, { params: { id }, query: { operationId, month } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return children(data)
}
