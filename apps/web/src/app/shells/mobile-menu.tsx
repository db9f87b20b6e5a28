import X from 'lucide-react/icons/x'
import { Close, Content, Overlay, Portal, Root, Title } from 'radix-ui/dialog'
import type { ReactNode } from 'react'
import { overlayClass, useReturnFocus } from '../../components/modal-panel.ts'

type Props = { open: boolean; onOpenChange: (open: boolean) => void; children: ReactNode }

/** Slides over the page; focus stays inside and Escape closes it. */
export default function MobileMenu({ open, onOpenChange, children }: Props) {
  const focus = useReturnFocus(false)
  return (
    <Root open={open} onOpenChange={onOpenChange}>
      <Portal>
        <Overlay className={overlayClass} />
        <Content
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col bg-card transition-transform duration-200 ease-out starting:-translate-x-full shadow-float focus-visible:outline-none"
        >
          <Title className="sr-only">Menu</Title>
          {children}
          <Close
            aria-label="Fermer le menu"
            className="absolute top-2 right-2 grid size-10 place-items-center rounded-md text-ink-soft hover:bg-ink/5 hover:text-ink"
          >
            <X aria-hidden="true" className="size-5" />
          </Close>
        </Content>
      </Portal>
    </Root>
  )
}
