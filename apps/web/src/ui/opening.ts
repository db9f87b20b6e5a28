import { cloneElement, type MouseEvent, type ReactElement } from 'react'
import { useFirstUse } from './first-use.ts'
import { useHasOpened } from './once-open.ts'

export type OverlayProps = { trigger?: ReactElement<object>; open?: boolean; onOpenChange?: (open: boolean) => void }

/** For a dialog, which opens from its trigger or from elsewhere: what it shows until then, and when it is needed. */
export function useOverlayOpening(load: () => Promise<unknown>, { trigger, open, onOpenChange }: OverlayProps) {
  const first = useFirstUse(load)
  const hasOpened = useHasOpened(open ?? false)
  const onClick = (event: MouseEvent) => {
    onOpenChange?.(true)
    if (open === undefined) first.trigger.onClick(event)
  }
  // What any button takes.
  const added = { ...first.trigger, 'aria-haspopup': 'dialog', onClick } as object
  const startsOpen = first.use !== null
  return { alone: trigger ? cloneElement(trigger, added) : null, startsOpen, needed: startsOpen || hasOpened }
}
