import { cx } from './cx.ts'

export const overlayClass = 'fixed inset-0 z-50 animate-appear bg-ink/40'
export const panelClass = cx(
  'fixed inset-4 z-50 m-auto h-fit max-h-[calc(100dvh-2rem)] animate-appear overflow-y-auto',
  'rounded-card border border-line bg-card p-6 shadow-float focus-visible:outline-none',
)
