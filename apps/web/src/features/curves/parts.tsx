import type { Operation } from '@voisol/contract/operations'
import { type ReactNode, Suspense } from 'react'
import { formatCount, formatNumber, formatPercent } from '../../lib/format.ts'
import type { Fact } from '../../ui/detail-screen.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatReceivedUntil } from './received.ts'

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
