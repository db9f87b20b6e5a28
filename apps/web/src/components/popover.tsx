import { cloneElement, type ReactElement, type ReactNode, Suspense } from 'react'
import { lazy } from './lazy.tsx'
import { OpenFailure, useFirstUse } from './open-on-demand.tsx'

const loadPopover = () => import('./popover-open.tsx')
const OpenPopover = lazy(loadPopover, OpenFailure)

export type PopoverProps = {
  /** Its accessible name. */
  label: string
  trigger: ReactElement<object>
  children: (close: () => void) => ReactNode
  className: string
  side?: 'top' | 'bottom'
  align?: 'start' | 'center' | 'end'
  gap?: number
  /** How far it keeps from the edges of the page. */
  clear?: number | { top: number; right: number; bottom: number; left: number }
  /** At the end of the page rather than after its trigger, for a trigger in a bar that would cut it. */
  apart?: boolean
}

/** A small panel that opens from its trigger, takes focus and gives it back. */
export function Popover(props: PopoverProps) {
  const first = useFirstUse(loadPopover)
  const alone = cloneElement(props.trigger, { 'aria-haspopup': 'dialog', ...first.trigger } as object) // what any button takes
  return <Suspense fallback={alone}>{first.use ? <OpenPopover {...props} /> : alone}</Suspense>
}
