import { Cancel, Content, Description, Overlay, Portal, Root, Title, Trigger } from 'radix-ui/alert-dialog'
import { useState } from 'react'
import { explainError } from '../lib/error-text.ts'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import type { ConfirmProps } from './dialog.tsx'
import { overlayClass, panelClass, useReturnFocus } from './modal-panel.ts'

/** The question itself; it comes when it is asked for the first time. */
export default function OpenConfirm({
  title,
  description,
  action,
  onConfirm,
  tone = 'danger',
  trigger,
  open,
  onOpenChange,
  startsOpen,
}: ConfirmProps & { startsOpen: boolean }) {
  const focus = useReturnFocus(trigger !== undefined)
  const [ownOpen, setOwnOpen] = useState(startsOpen)
  const [working, setWorking] = useState(false)
  const [problem, setProblem] = useState('')
  const change = (next: boolean) => {
    setProblem('')
    setOwnOpen(next)
    onOpenChange?.(next)
  }
  const confirm = async () => {
    setWorking(true)
    try {
      await onConfirm()
      change(false)
    } catch (error) {
      setProblem(explainError(error))
    } finally {
      setWorking(false)
    }
  }
  return (
    <Root open={open ?? ownOpen} onOpenChange={change}>
      {trigger && <Trigger asChild>{trigger}</Trigger>}
      <Portal>
        <Overlay className={overlayClass} />
        <Content className={cx(panelClass, 'max-w-md')} {...focus}>
          <Title className="text-lg font-semibold">{title}</Title>
          <Description className="mt-2 text-body text-ink-soft">{description}</Description>
          {problem && (
            <p role="alert" className="mt-3 text-body text-danger">
              {problem}
            </p>
          )}
          <footer className="mt-6 flex flex-wrap justify-end gap-2">
            <Cancel asChild>
              <Button variant="secondary">Annuler</Button>
            </Cancel>
            <Button variant={tone} loading={working} onClick={confirm}>
              {action}
            </Button>
          </footer>
        </Content>
      </Portal>
    </Root>
  )
}
