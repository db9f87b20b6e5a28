import type { ReactNode } from 'react'
import { formatCount } from '../lib/format.ts'
import { Button } from './button.tsx'

type BulkBarProps = {
  count: number
  /** Says what is chosen, where it is no row. */
  words?: string
  onClear: () => void
  children: ReactNode
}

/** What can be done with the chosen rows; stays in sight at the bottom, and on a telephone above the cards, over none of them. */
export const BulkBar = ({ count, words, onClear, children }: BulkBarProps) => (
  <div className="sticky bottom-0 z-10 flex animate-rise max-sm:static max-sm:order-first max-sm:rounded-b-none max-sm:border-t-0 max-sm:border-b flex-wrap items-center gap-x-4 gap-y-2 rounded-b-card border-t border-line bg-slate-50 px-4 py-2.5">
    <p role="status" className="tabular text-body font-medium">
      {words ?? formatCount(count, 'ligne sélectionnée', 'lignes sélectionnées')}
    </p>
    <Button variant="quiet" size="small" onClick={onClear}>
      Tout désélectionner
    </Button>
    <div className="flex flex-wrap gap-2 sm:ml-auto">{children}</div>
  </div>
)
