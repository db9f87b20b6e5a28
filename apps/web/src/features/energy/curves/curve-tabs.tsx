import type { Operation } from '@voisol/contract/operations'
import { type ReactNode, Suspense } from 'react'
import { ButtonLink } from '../../../components/button.tsx'
import type { Fact } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { ApiError } from '../../../lib/call.ts'
import { formatCount, formatNumber, formatPercent } from '../../../lib/format.ts'
import { formatReceivedUntil } from './labels.ts'

export const CurvesTab = lazy(() => import('./curves-tab.tsx'))
export const CompletenessTab = lazy(() => import('./completeness-tab.tsx'))
export const ImportsTab = lazy(() => import('./imports/imports-tab.tsx'))

export const withSkeleton = (tab: ReactNode) => (
  <Suspense fallback={<Skeleton className="h-96 w-full" />}>{tab}</Suspense>
)

export const buildOperationFacts = (
  { completeness, receivedUntil, stepMinutes }: Operation,
  points: number | undefined,
): Fact[] => [
  { label: 'Points de mesure', value: points === undefined ? '…' : formatNumber(points) },
  { label: 'Pas de répartition', value: formatCount(stepMinutes, 'minute') },
  {
    label: 'Complétude sur 30\u00a0jours',
    value: completeness === null ? 'Rien d’attendu' : formatPercent(Math.floor(completeness * 1000) / 1000),
  },
  { label: 'Données reçues jusqu’au', value: formatReceivedUntil(receivedUntil) },
]

const isNotFoundError = (error: Error) => error instanceof ApiError && (error.status === 404 || error.status === 422)

/** What is not the organisation's does not exist for it; anything else may pass. */
export const CurveUnavailable = ({ error, onRetry }: { error: Error; onRetry: () => unknown }) =>
  isNotFoundError(error) ? (
    <EmptyState
      title="Cette page n’existe pas"
      why="L’adresse ne mène à aucune opération ni à aucun point de votre organisation."
      action={<ButtonLink to="/acc-operations">Voir les opérations</ButtonLink>}
    />
  ) : (
    <ErrorState error={error} onRetry={onRetry} />
  )
