import X from 'lucide-react/icons/x'
import { Close, Content, Description, Overlay, Portal, Root, Title, Trigger } from 'radix-ui/dialog'
import { cx } from './cx.ts'
import { DIALOG_WIDTHS, DialogCloseContext, type DialogProps } from './dialog-parts.ts'
import { overlayClass, panelClass, useReturnFocus } from './modal-panel.ts'

/** The dialog itself; it comes when it is opened for the first time. */
export default function OpenDialog({
  title,
  description,
  children,
  actions,
  width = 'medium',
  trigger,
  open,
  onOpenChange,
  startsOpen,
}: DialogProps & { startsOpen: boolean }) {
  const focus = useReturnFocus(trigger !== undefined)
  return (
    <Root open={open} defaultOpen={startsOpen} onOpenChange={onOpenChange}>
      {trigger && <Trigger asChild>{trigger}</Trigger>}
      <Portal>
        <Overlay className={overlayClass} />
        <Content
          className={cx(panelClass, DIALOG_WIDTHS[width])}
          {...focus}
          {...(!description && { 'aria-describedby': undefined })}
        >
          <header className="mb-4 pr-8">
            <Title className="text-lg font-semibold">{title}</Title>
            {description && <Description className="mt-1 text-body text-ink-soft">{description}</Description>}
          </header>
          <DialogCloseContext value={Close}>
            {children}
            {actions && <footer className="mt-6 flex flex-wrap justify-end gap-2">{actions}</footer>}
          </DialogCloseContext>
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
