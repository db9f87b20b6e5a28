import type { ReactNode } from 'react'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { type MyPoints, useMyPoints } from './my-points.ts'

type WithPointsProps = {
  children: (mine: MyPoints) => ReactNode
  /** Around what is shown in the meantime. */
  frame?: (waiting: ReactNode) => ReactNode
}

/** What every screen of the portal waits for: the client's own points. */
export function WithPoints({ children, frame = (waiting) => waiting }: WithPointsProps) {
  const { mine, error, refetch } = useMyPoints()
  if (mine) return children(mine)
  return frame(error ? <ErrorState error={error} onRetry={refetch} /> : <Skeleton className="h-64 w-full" />)
}
