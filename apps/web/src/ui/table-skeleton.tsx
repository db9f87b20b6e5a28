import { Skeleton } from './skeleton.tsx'

const ROW_WIDTHS = ['w-3/5', 'w-2/5', 'w-1/2', 'w-2/3', 'w-2/5', 'w-3/5', 'w-1/2', 'w-1/3']

export const TableSkeleton = ({ label }: { label: string }) => (
  <div role="status" className="rounded-card border border-line bg-card">
    <span className="sr-only">{label} : chargement en cours</span>
    {ROW_WIDTHS.map((width, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are fixed
      <div key={index} className="flex h-11 items-center gap-6 border-line px-4 not-first-of-type:border-t">
        <Skeleton className={`h-3.5 ${width}`} />
        <Skeleton className="ml-auto h-3.5 w-16" />
      </div>
    ))}
  </div>
)
