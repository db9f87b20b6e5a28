import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

/** What a row holds beyond its columns, opened under it. */
export type Detail<Row> = { label: (row: Row) => string; content: (row: Row) => ReactNode }

type ToggleProps = { label: string; open: boolean; id: string; onChange: (open: boolean) => void }

export const DetailToggle = ({ label, open, id, onChange }: ToggleProps) => (
  <td className="w-10 pl-2 max-sm:order-first max-sm:block max-sm:w-auto max-sm:pl-0">
    <button
      type="button"
      aria-label={label}
      aria-expanded={open}
      aria-controls={open ? id : undefined}
      onClick={() => onChange(!open)}
      className="grid size-8 place-items-center rounded-md text-ink-soft hover:bg-ink/5 hover:text-ink"
    >
      <ChevronRight
        aria-hidden="true"
        className={cx('size-4 transition-transform duration-150 motion-reduce:transition-none', open && 'rotate-90')}
      />
    </button>
  </td>
)

export const DetailRow = ({ id, span, children }: { id: string; span: number; children: ReactNode }) => (
  <tr id={id} className="bg-page max-sm:block">
    <td colSpan={span} className="animate-appear max-sm:block px-4 py-4 text-left sm:pl-12">
      {children}
    </td>
  </tr>
)
