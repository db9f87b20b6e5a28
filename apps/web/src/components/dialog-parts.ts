import type { Close } from 'radix-ui/dialog'
import { createContext, type ReactNode } from 'react'
import type { OverlayProps } from './open-on-demand.tsx'

export const DIALOG_WIDTHS = { narrow: 'max-w-md', medium: 'max-w-xl', wide: 'max-w-4xl', full: 'max-w-6xl' }

export type DialogProps = OverlayProps & {
  title: string
  description?: ReactNode
  children: ReactNode
  /** Buttons, the consequence last. */
  actions?: ReactNode
  width?: keyof typeof DIALOG_WIDTHS
}

/** What closes a dialog comes with it. */
export const DialogCloseContext = createContext<typeof Close | null>(null)
