import { type ReactNode, Suspense } from 'react'
import { Skeleton } from '../../../ui/skeleton.tsx'

/** Each tab is loaded when it is opened. */
export const LazyTab = ({ children }: { children: ReactNode }) => (
  <Suspense fallback={<Skeleton className="h-72 w-full" />}>{children}</Suspense>
)
