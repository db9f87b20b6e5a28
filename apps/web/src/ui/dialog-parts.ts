import type { Close } from 'radix-ui/dialog'
import { createContext, type ReactNode } from 'react'
import type { Openable } from './opening.ts'

export const widths = { narrow: 'max-w-md', medium: 'max-w-xl', wide: 'max-w-4xl', full: 'max-w-6xl' }

export type DialogProps = Openable & {
  title: string
  description?: ReactNode
  children: ReactNode
  /** Buttons, the consequence last. */
  actions?: ReactNode
  width?: keyof typeof widths
}

/** What closes a dialog comes with it. */
export const Closing = createContext<typeof Close | null>(null)
