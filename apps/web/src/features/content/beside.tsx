import type { MouseEvent, ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

/** A link in a text one is writing must not lead away from the desk. */
function openLinkInNewTab(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link) return
  event.preventDefault()
  event.stopPropagation()
  window.open(link.href, '_blank', 'noopener')
}

/** What readers see, in a pane that scrolls by itself. */
export const PreviewPane = ({
  label,
  className,
  children,
}: {
  label: string
  className?: string
  children: ReactNode
}) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
    tabIndex={0}
    onClickCapture={openLinkInNewTab}
    className={cx('overflow-y-auto', className)}
  >
    {children}
  </section>
)
