import LoaderCircle from 'lucide-react/icons/loader-circle'
import { cx } from './cx.ts'

/** The place of what is coming, in its size, so that nothing jumps. */
export const Skeleton = ({ className = 'h-4 w-full' }: { className?: string }) => (
  <span
    aria-hidden="true"
    className={cx('block animate-pulse rounded-md bg-slate-200/70 motion-reduce:animate-none', className)}
  />
)

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

export const Spinner = ({ className }: { className?: string }) => (
  <LoaderCircle aria-hidden="true" className={cx('size-5 animate-spin motion-reduce:animate-none', className)} />
)

/** While nothing else can be shown: the word says what is awaited. */
export const FullScreenSpinner = ({ label = 'Chargement…' }: { label?: string }) => (
  <div role="status" className="grid min-h-[60dvh] place-items-center">
    <span className="flex items-center gap-3 text-body text-ink-soft">
      <Spinner className="text-primary-ink" />
      {label}
    </span>
  </div>
)
