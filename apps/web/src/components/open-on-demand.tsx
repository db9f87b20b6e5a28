import {
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  startTransition,
  useEffect,
  useState,
} from 'react'
import { toast } from '../lib/toast.ts'
import type { LoadFailure } from './lazy.tsx'

/** A window that did not come leaves its button as it was, to be pressed again. */
export function OpenFailure({ trigger, open, onOpenChange, asking, retry }: OverlayProps & LoadFailure) {
  useEffect(() => {
    if (open) retry()
  }, [open, retry])
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once for each time it was asked for
  useEffect(() => {
    if (asking) return
    const description = 'Le serveur ne répond pas. Réessayez dans un instant.'
    toast({ title: 'Cette fenêtre n’a pas pu s’ouvrir', description, variant: 'destructive' })
    onOpenChange?.(false)
  }, [asking])
  return trigger ? cloneElement(trigger, { onClick: retry } as object) : null // what any button takes
}

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

/** From the first opening on: what opens over the page is fetched then, and stays to be able to close. */
export function useHasOpened(open: boolean): boolean {
  const [hasOpened, setWanted] = useState(open)
  if (open && !hasOpened) setWanted(true)
  return hasOpened || open
}

export type InputMethod = 'pointer' | 'keyboard'

/**
 * What opens from a button is fetched when the button is about to be used for the first time: until then the button
 * stands alone. It stays in its place while the rest comes, and is the same button afterwards.
 */
export function useFirstUse(load: () => Promise<unknown>, opensOnArrow = false) {
  const [use, setUse] = useState<InputMethod | null>(null)
  const begin = (how: InputMethod) => startTransition(() => setUse(how))
  // A failure shows when it is opened, as for any other part of the program.
  const prepare = () => void load().catch(() => undefined)
  const trigger = {
    'aria-expanded': false,
    onPointerEnter: prepare,
    onFocus: prepare,
    // A key that presses a button makes a click without a pointer.
    onClick: ({ detail }: MouseEvent) => begin(detail > 0 ? 'pointer' : 'keyboard'),
    ...(opensOnArrow && {
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        begin('keyboard')
      },
    }),
  }
  return { use, trigger }
}
