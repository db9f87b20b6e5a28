import { Suspense } from 'react'
import type { CurveExplorerProps } from '../../../components/curve-explorer/curve-explorer.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'

const CurveExplorer = lazy(async () => ({
  default: (await import('../../../components/curve-explorer/curve-explorer.tsx')).CurveExplorer,
}))

/** What draws curves comes after the screen; another stretch of time starts with its own zoom. */
export const LazyCurveExplorer = (props: CurveExplorerProps) => (
  <Suspense fallback={<Skeleton className="h-96 w-full" />}>
    <CurveExplorer key={`${props.startsAt}-${props.step}-${props.series[0]?.values.length ?? 0}`} {...props} />
  </Suspense>
)
