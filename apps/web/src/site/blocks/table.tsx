import Check from 'lucide-react/icons/check'
import { cx } from '../../components/cx.ts'
import { type Background, MarkedText, PageSection, type SectionHeadingContent } from './section.tsx'

/** Yes and no are drawn and said; everything else is written as it is. */
type ComparisonCell = string | boolean
export type TableContent = SectionHeadingContent & {
  kind: 'table'
  ground?: Background
  /** Of the first column, then of the others. */
  columns: string[]
  groups: { title?: string; rows: { label: string; note?: string; cells: ComparisonCell[] }[] }[]
  look?: 'centred' | 'text' | 'figures'
  note?: string
}

const CellValue = ({ cell }: { cell: ComparisonCell }) => {
  if (typeof cell === 'string') return <MarkedText text={cell} />
  if (!cell)
    return (
      <>
        <span aria-hidden="true" className="text-control">
          –
        </span>
        <span className="sr-only">Non</span>
      </>
    )
  return (
    <>
      <Check aria-hidden="true" className="inline size-5 text-success" />
      <span className="sr-only">Oui</span>
    </>
  )
}

/** On a telephone words wrap, so that no column is hidden. */
const widthClasses = { centred: '', text: 'sm:min-w-[36rem]', figures: 'sm:min-w-[30rem]' }
const alignClasses = { centred: 'text-center', text: 'text-left', figures: 'tabular text-right' }

const TableHead = ({ columns, align }: { columns: string[]; align: string }) => (
  <thead>
    <tr className="border-line-strong border-b">
      {columns.map((column, index) => (
        <th
          key={column}
          scope="col"
          className={cx(
            'py-3 font-semibold',
            index === 0
              ? 'pr-2 text-left sm:pr-4'
              : cx('px-1 last:pr-0 max-sm:[overflow-wrap:anywhere] sm:px-3', align),
          )}
        >
          {column}
        </th>
      ))}
    </tr>
  </thead>
)

type Group = TableContent['groups'][number]
const TableGroupRows = ({ title, rows, columns, align }: Group & { columns: string[]; align: string }) => (
  <tbody>
    {title && (
      <tr>
        <th scope="colgroup" colSpan={columns.length} className="pt-8 pb-2 text-left text-sm font-medium text-ink-soft">
          {title}
        </th>
      </tr>
    )}
    {rows.map(({ label, note, cells }) => (
      <tr key={label} className="border-line border-b align-top">
        <th scope="row" className="py-3.5 pr-2 sm:min-w-40 sm:pr-4 text-left font-medium">
          <MarkedText text={label} />
          {note && <span className="block text-[0.8125rem] font-normal text-ink-soft sm:text-sm">{note}</span>}
        </th>
        {cells.map((cell, index) => (
          <td key={columns[index + 1]} className={cx('px-1 py-3.5 text-ink-soft last:pr-0 sm:px-3', align)}>
            <CellValue cell={cell} />
          </td>
        ))}
      </tr>
    ))}
  </tbody>
)

/** On a telephone the table scrolls by itself, the page does not. */
export function ComparisonTable({ kind, columns, groups, look = 'text', note, ...section }: TableContent) {
  const align = alignClasses[look]
  // Two columns of figures set too far apart are hard to follow.
  const narrow = look === 'figures' && columns.length <= 3
  return (
    <PageSection {...section}>
      <section
        className={cx('relative mt-8 overflow-x-auto', narrow && 'max-w-3xl')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={section.title}
      >
        <table className={cx('w-full text-[0.8125rem] hyphens-auto sm:text-[0.9375rem]', widthClasses[look])}>
          <caption className="sr-only">{section.title}</caption>
          <TableHead columns={columns} align={align} />
          {groups.map((group) => (
            <TableGroupRows key={group.title ?? columns[0]} {...group} columns={columns} align={align} />
          ))}
        </table>
      </section>
      {note && <p className="prose-width mt-6 text-sm text-ink-soft">{note}</p>}
    </PageSection>
  )
}
