import { cx } from './cx.ts'

/** The place of what is coming, in its size, so that nothing jumps. */
export const Skeleton = ({ className = 'h-4 w-full' }: { className?: string }) => (
  <span
    aria-hidden="true"
    className={cx('block animate-pulse rounded-md bg-slate-200/70 motion-reduce:animate-none', className)}
  />
)
