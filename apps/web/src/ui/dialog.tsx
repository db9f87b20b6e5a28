import X from 'lucide-react/icons/x'
import { Close, Content, Description, Overlay, Portal, Root, Title, Trigger } from 'radix-ui/dialog'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './cx.ts'
import { useReturnFocus } from './return-focus.ts'

export const overlayClass = 'fixed inset-0 z-50 animate-appear bg-ink/40'
export const panelClass = cx(
  'fixed inset-4 z-50 m-auto h-fit max-h-[calc(100dvh-2rem)] animate-appear overflow-y-auto',
  'rounded-card border border-line bg-card p-6 shadow-float focus-visible:outline-none',
)
const widths = { narrow: 'max-w-md', medium: 'max-w-xl', wide: 'max-w-4xl', full: 'max-w-6xl' }

export type DialogProps = {
  title: string
  description?: ReactNode
  children: ReactNode
  /** Buttons, the consequence last. */
  actions?: ReactNode
  width?: keyof typeof widths
  trigger?: ReactElement
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

/** Focus stays inside, Escape closes, and focus goes back where it came from. */
export function Dialog({
  title,
  description,
  children,
  actions,
  width = 'medium',
  trigger,
  open,
  onOpenChange,
}: DialogProps) {
  const focus = useReturnFocus(trigger !== undefined)
  return (
    <Root open={open} onOpenChange={onOpenChange}>
      {trigger && <Trigger asChild>{trigger}</Trigger>}
      <Portal>
        <Overlay className={overlayClass} />
        <Content
          className={cx(panelClass, widths[width])}
          {...focus}
          {...(!description && { 'aria-describedby': undefined })}
        >
          <header className="mb-4 pr-8">
            <Title className="text-lg font-semibold">{title}</Title>
            {description && <Description className="mt-1 text-body text-ink-soft">{description}</Description>}
          </header>
          {children}
          {actions && <footer className="mt-6 flex flex-wrap justify-end gap-2">{actions}</footer>}
          {/* Last, so that a form begins with its first field. */}
          <Close
            aria-label="Fermer"
            className="absolute top-4.5 right-4.5 grid size-8 place-items-center rounded-md text-ink-soft hover:bg-ink/5 hover:text-ink"
          >
            <X aria-hidden="true" className="size-5" />
          </Close>
        </Content>
      </Portal>
    </Root>
  )
}

/** Around a button of `actions` that only closes. */
export const DialogClose = ({ children }: { children: ReactElement }) => <Close asChild>{children}</Close>
