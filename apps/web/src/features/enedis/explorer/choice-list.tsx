import type { ReactNode } from 'react'
import { cx } from '../../../ui/cx.ts'

type ChoiceItem = { id: string; title: ReactNode; note?: ReactNode; mark?: ReactNode }
type Props = { label: string; items: ChoiceItem[]; value: string; onChange: (id: string) => void; className?: string }

/** A list one picks from, the chosen line marked. */
export const ChoiceList = ({ label, items, value, onChange, className }: Props) => (
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
