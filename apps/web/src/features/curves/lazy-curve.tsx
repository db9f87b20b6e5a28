import { Suspense } from 'react'
import type { CurveExplorerProps } from '../../ui/curve-explorer/curve-explorer.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Skeleton } from '../../ui/loading.tsx'

const CurveExplorer = lazy(async () => ({
  default: (await import('../../ui/curve-explorer/curve-explorer.tsx')).CurveExplorer,
}))

/** What draws curves comes after the screen; another stretch of time starts with its own zoom. */
export const LazyCurveExplorer = (props: CurveExplorerProps) => (
  <Suspense fallback={<Skeleton className="h-96 w-full" />}>
    <CurveExplorer key={`${props.startsAt}-${props.step}-${props.series[0]?.values.length ?? 0}`} {...props} />
  </Suspense>
)
