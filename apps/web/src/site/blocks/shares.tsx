import { formatNumber } from '../../lib/format.ts'
import { type Background, PageSection, type SectionHeadingContent } from './section.tsx'

export type SharesContent = SectionHeadingContent & {
  ground?: Background
  caption: string
  neighbours: { name: string; fill: string }[]
  rows: { method: string; rule: string; shares: number[]; surplus: number }[]
  note?: string
}

/** Drawn with the figures of the row; the figures themselves are read beside it. */
function Bar({ shares, surplus, fills }: { shares: number[]; surplus: number; fills: string[] }) {
  const parts = [...shares, surplus]
  const total = parts.reduce((sum, part) => sum + part, 0)
  const offset = (index: number) => (parts.slice(0, index).reduce((sum, part) => sum + part, 0) / total) * 100
  return (
    <svg
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      aria-hidden="true"
      className="h-6 w-full overflow-hidden rounded-sm"
    >
      {parts.map((part, index) => (
        <rect
          key={fills[index]}
          x={offset(index)}
          width={Math.max(0, (part / total) * 100 - 0.4)}
          height={8}
          fill={fills[index]}
        />
      ))}
    </svg>
  )
}

const SURPLUS_COLUMN = { name: 'Surplus', fill: 'var(--data-surplus)' }

type Columns = SharesContent['neighbours']

const Head = ({ columns }: { columns: Columns }) => (
  <thead className="text-sm text-ink-soft">
    <tr className="border-line border-b">
      <th scope="col" className="py-3 pr-6 font-medium">
        Méthode
      </th>
      <th scope="col" className="w-2/5 py-3 pr-6 font-medium max-md:hidden">
        <span className="sr-only">Part de chacun, dessinée</span>
      </th>
      {columns.map(({ name, fill }) => (
        <th key={name} scope="col" className="py-3 pl-2 text-right font-medium md:pl-4">
          <svg viewBox="0 0 8 8" aria-hidden="true" className="mr-1.5 inline size-2.5 max-md:hidden">
            <rect width="8" height="8" fill={fill} />
          </svg>
          {name}
        </th>
      ))}
    </tr>
  </thead>
)

const Row = ({ method, rule, shares, surplus, columns }: SharesContent['rows'][number] & { columns: Columns }) => (
  <tr className="border-line border-b align-middle">
    <th scope="row" className="py-4 pr-2 font-medium md:pr-6">
      {method}
      <span className="block text-sm font-normal text-ink-soft">{rule}</span>
    </th>
    <td className="py-4 pr-6 max-md:hidden">
      <Bar shares={shares} surplus={surplus} fills={columns.map(({ fill }) => fill)} />
    </td>
    {[...shares, surplus].map((value, index) => (
      <td key={columns[index]?.name} className="tabular whitespace-nowrap py-4 pl-2 text-right md:pl-4">
        {formatNumber(value)}
        <span className="text-sm text-ink-soft">{'\u00a0'}Wh</span>
      </td>
    ))}
  </tr>
)

/** The same quarter of an hour shared by several rules. */
export function SharesTable({ caption, neighbours, rows, note, ...section }: SharesContent) {
  const columns = [...neighbours, SURPLUS_COLUMN]
  return (
    <PageSection {...section}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="relative mt-8 overflow-x-auto" tabIndex={0} aria-label={caption}>
        <table className="w-full text-left max-md:text-sm">
          <caption className="sr-only">{caption}</caption>
          <Head columns={columns} />
          <tbody>
            {rows.map((row) => (
              <Row key={row.method} {...row} columns={columns} />
            ))}
          </tbody>
        </table>
      </section>
      {note && <p className="prose-width mt-6 text-sm text-ink-soft">{note}</p>}
    </PageSection>
  )
}
