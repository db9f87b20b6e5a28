import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../../components/badge.tsx'
import { cx } from '../../../../components/cx.ts'
import { formatDate } from '../../../../lib/format.ts'

export type AgreementSummary = {
  acc: string
  name: string
  operationId: string | null
  startsOn: string | null
  endsOn: string | null
}

type Props = { items: AgreementSummary[]; value: string; onChange: (acc: string) => void }

/** The agreements that the distributor shows to this connection. */
export const AgreementChoice = ({ items, value, onChange }: Props) => (
  <ChoiceList
    label="Conventions"
    value={value}
    onChange={onChange}
    className="max-h-80 overflow-y-auto"
    items={items.map(({ acc, name, operationId, startsOn, endsOn }) => ({
      id: acc,
      title: name || acc,
      note: `${acc} · ${formatOpenDateRange(startsOn, endsOn)}`,
      mark: operationId === null && <Badge tone="warning">Inconnue ici</Badge>,
    }))}
  />
)

type ChoiceItem = { id: string; title: ReactNode; note?: ReactNode; mark?: ReactNode }
type ChoiceListProps = {
  label: string
  items: ChoiceItem[]
  value: string
  onChange: (id: string) => void
  className?: string
}

/** A list one picks from, the chosen line marked. */
export const ChoiceList = ({ label, items, value, onChange, className }: ChoiceListProps) => (
  <ul aria-label={label} className={cx('-mx-2 grid gap-0.5', className)}>
    {items.map(({ id, title, note, mark }) => (
      <li key={id}>
        <button
          type="button"
          aria-current={id === value ? 'true' : undefined}
          onClick={() => onChange(id)}
          className={cx(
            'flex min-h-11 w-full items-start justify-between gap-3 rounded-control px-2 py-2 text-left text-body focus-visible:-outline-offset-2',
            id === value ? 'bg-primary-soft' : 'hover:bg-page',
          )}
        >
          <span className="min-w-0">
            <span className={cx('block font-medium', id === value && 'text-primary-ink')}>{title}</span>
            {note && <span className="block text-[0.8125rem] text-ink-soft">{note}</span>}
          </span>
          {mark}
        </button>
      </li>
    ))}
  </ul>
)

/** « depuis le 01/03/2025 », « du 01/03/2025 au 31/12/2025 »; the end is the first day that is no longer meant. */
export function formatOpenDateRange(startsOn: string | null, endsOn: string | null) {
  if (startsOn && endsOn) return `du ${formatDate(startsOn)} au ${formatDate(endsOn)}`
  if (startsOn) return `depuis le ${formatDate(startsOn)}`
  return endsOn ? `jusqu’au ${formatDate(endsOn)}` : 'dates non données'
}

const PARAM_NAMES = { acc: 'convention', point: 'point', types: 'series', tab: 'onglet' } as const
type ExplorerChoice = { [K in keyof typeof PARAM_NAMES]?: string | undefined }

/** Which agreement, which point, which series: in the address, so that a link shows the same. */
export function useExplorerChoice() {
  const [search, setSearch] = useSearchParams()
  const choose = (change: ExplorerChoice) =>
    setSearch(
      (old) => {
        for (const [key, value] of Object.entries(change)) {
          const name = PARAM_NAMES[key as keyof ExplorerChoice] // keys of a Choice
          if (value) old.set(name, value)
          else old.delete(name)
        }
        return old
      },
      { preventScrollReset: true },
    )
  return {
    acc: search.get(PARAM_NAMES.acc),
    point: search.get(PARAM_NAMES.point),
    types: search.get(PARAM_NAMES.types),
    tab: search.get(PARAM_NAMES.tab),
    choose,
  }
}
