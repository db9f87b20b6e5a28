import X from 'lucide-react/icons/x'
import { Close, Content, Overlay, Portal, Root, Title } from 'radix-ui/dialog'
import { type ReactNode, useRef } from 'react'
import { overlayClass, useReturnFocus } from '../../../../components/modal-panel.ts'

type Props = { title: string; under?: ReactNode; children: ReactNode; onClose: () => void }

/** Beside the list it was opened from; focus stays inside, Escape closes, and focus goes back. */
export default function SidePanel({ title, under, children, onClose }: Props) {
  const focus = useReturnFocus(false)
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Root open onOpenChange={(open) => !open && onClose()}>
      <Portal>
        <Overlay className={overlayClass} />
        <Content
          {...focus}
          onOpenAutoFocus={(event) => {
            focus.onOpenAutoFocus?.()
            event.preventDefault()
            heading.current?.focus()
          }}
          aria-describedby={undefined}
          className="fixed inset-y-0 right-0 z-50 flex w-full max-w-2xl flex-col bg-card shadow-float transition-transform duration-200 ease-out starting:translate-x-full focus-visible:outline-none motion-reduce:transition-none"
        >
          <header className="border-b border-line px-6 py-4 pr-16">
            <Title ref={heading} tabIndex={-1} className="text-lg font-semibold focus-visible:outline-none">
              {title}
            </Title>
            {under}
          </header>
          <div className="min-h-0 flex-1 divide-y divide-line overflow-y-auto px-6">{children}</div>
          <Close
            aria-label="Fermer"
            className="absolute top-3.5 right-4.5 grid size-8 place-items-center rounded-md text-ink-soft hover:bg-ink/5 hover:text-ink"
          >
            <X aria-hidden="true" className="size-5" />
          </Close>
        </Content>
      </Portal>
    </Root>
  )
}
