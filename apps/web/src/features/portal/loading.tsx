import type { ReactNode } from 'react'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type MyPoints, useMyPoints } from './my-points.ts'

/** What every screen of the portal waits for: the client's own points. */
export function WithPoints({ children }: { children: (mine: MyPoints) => ReactNode }) {
  const { mine, error, refetch } = useMyPoints()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!mine) return <Skeleton className="h-64 w-full" />
  return children(mine)
}
