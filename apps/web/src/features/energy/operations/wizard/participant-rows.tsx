import { SEGMENTS_BY_DIRECTION } from '@voisol/contract/points'
import ChevronDown from 'lucide-react/icons/chevron-down'
import Trash2 from 'lucide-react/icons/trash-2'
import { type ReactNode, useState } from 'react'
import { cardClass } from '../../../../components/card.tsx'
import { cx } from '../../../../components/cx.ts'
import { IconButton } from '../../../../components/icon-button.tsx'

type RowCardProps = {
  title: string
  /** What a closed row says of itself. */
  line: ReactNode
  open: boolean
  onToggle: () => void
  onRemove: () => void
  children: ReactNode
}

/** A line that opens to its fields: many of them stay readable. */
export const RowCard = ({ title, line, open, onToggle, onRemove, children }: RowCardProps) => (
  <fieldset className={cx(cardClass, 'min-w-0 shadow-none')}>
    <legend className="sr-only">{title}</legend>
    <div className="flex items-center gap-1 pr-2">
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="flex min-h-11 min-w-0 grow items-center gap-3 rounded-card px-4 text-left text-body"
      >
        <ChevronDown
          aria-hidden="true"
          className={cx('size-4 shrink-0 text-ink-soft transition-transform duration-150', !open && '-rotate-90')}
        />
        <span className="min-w-0 truncate">{line}</span>
      </button>
      <IconButton label={`Retirer ${title.toLowerCase()}`} icon={<Trash2 aria-hidden="true" />} onClick={onRemove} />
    </div>
    {open && <div className="grid gap-4 border-t border-line p-4 sm:grid-cols-2">{children}</div>}
  </fieldset>
)

const PAGE_SIZE = 20

/** Pages of a long list of rows; what is wrong is brought into view. */
export function usePagedRows(count: number, firstWrong: number | null) {
  const [page, setPage] = useState(1)
  const [lastWrong, setLastWrong] = useState<number | null>(null)
  const last = Math.max(1, Math.ceil(count / PAGE_SIZE))
  // While drawing, not after: the field must be there when focus looks for it.
  if (lastWrong !== firstWrong) {
    setLastWrong(firstWrong)
    if (firstWrong !== null) setPage(Math.floor(firstWrong / PAGE_SIZE) + 1)
  }
  const current = Math.min(page, last)
  return {
    page: current,
    size: PAGE_SIZE,
    from: (current - 1) * PAGE_SIZE,
    to: Math.min(count, current * PAGE_SIZE),
    setPage,
  }
}

/** Rows that are open: those somebody opened, and those that hold something to correct. */
export function useOpenRows() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string, now: boolean) =>
    setOpen((old) => {
      const next = new Set(old)
      if (now) next.delete(id)
      else next.add(id)
      return next
    })
  return { open, toggle }
}

export const KIND_OPTIONS = [
  { value: 'person', label: 'Particulier' },
  { value: 'organisation', label: 'Organisation' },
]

export const METER_OPTIONS = [
  { value: 'home', label: 'Consommation' },
  { value: 'battery', label: 'Batterie, charge et décharge' },
]

/** It follows from the role; another one is chosen where it is known. */
const toSegmentOptions = (values: readonly string[]) =>
  values.map((value, at) => ({ value, label: at === 0 ? `${value}, le plus courant` : value }))
export const SEGMENT_OPTIONS = {
  consumption: toSegmentOptions(SEGMENTS_BY_DIRECTION.consumption),
  production: toSegmentOptions(SEGMENTS_BY_DIRECTION.production),
}
