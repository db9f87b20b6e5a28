import { Cancel, Content, Description, Overlay, Portal, Root, Title, Trigger } from 'radix-ui/alert-dialog'
import { type ReactElement, type ReactNode, useState } from 'react'
import { explain } from '../lib/explain.ts'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { overlayClass, panelClass } from './dialog.tsx'
import { useReturnFocus } from './return-focus.ts'

type ConfirmProps = {
  title: string
  /** What will happen, and whether it can be undone. */
  description: ReactNode
  /** The consequence, as a verb: « Supprimer la facture ». */
  action: string
  onConfirm: () => unknown
  tone?: 'danger' | 'primary'
  trigger?: ReactElement
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

/** Asks before something that cannot be taken back; stays open and says why when it fails. */
export function Confirm({
  title,
  description,
  action,
  onConfirm,
  tone = 'danger',
  trigger,
  open,
  onOpenChange,
}: ConfirmProps) {
  const focus = useReturnFocus(trigger !== undefined)
  const [ownOpen, setOwnOpen] = useState(false)
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
      setProblem(explain(error))
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
