import LoaderCircle from 'lucide-react/icons/loader-circle'
import { cx } from './cx.ts'

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
