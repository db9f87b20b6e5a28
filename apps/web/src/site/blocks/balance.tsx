import { formatNumber } from '../../lib/format.ts'
import { type Background, PageSection, type SectionHeadingContent } from './section.tsx'

type Row = {
  label: string
  note: string
  shared: number
  surplus: number
  selfConsumption: number
  selfProduction: number
}
type BalanceContent = SectionHeadingContent & { ground?: Background; rows: Row[]; note: string }

const SHARED_COLOUR = 'var(--data-local)'
const SURPLUS_COLOUR = 'var(--data-surplus)'

/** All rows on the same scale: a longer bar is more energy. */
const Bar = ({ shared, surplus, most }: { shared: number; surplus: number; most: number }) => (
  <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" className="h-6 w-full">
    <rect width={(shared / most) * 100} height={8} fill={SHARED_COLOUR} />
    <rect
      x={(shared / most) * 100 + 0.4}
      width={Math.max(0, (surplus / most) * 100 - 0.4)}
      height={8}
      fill={SURPLUS_COLOUR}
    />
  </svg>
)

const LegendKey = ({ fill, name }: { fill: string; name: string }) => (
  <span className="flex items-center gap-2">
    <svg viewBox="0 0 8 8" aria-hidden="true" className="size-3">
      <rect width="8" height="8" rx="1" fill={fill} />
    </svg>
    {name}
  </span>
)

const headCellClass = 'py-3 pl-1.5 text-right font-medium max-sm:text-xs max-sm:[overflow-wrap:anywhere] sm:pl-3'
const Line = ({ row, most }: { row: Row; most: number }) => (
  <tr className="border-line border-b">
    <th scope="row" className="py-4 pr-2 text-left font-medium sm:pr-4">
      {row.label}
      <span className="block text-sm font-normal text-ink-soft">{row.note}</span>
    </th>
    <td className="w-2/5 py-4 pr-4 max-md:hidden">
      <Bar shared={row.shared} surplus={row.surplus} most={most} />
    </td>
    {[row.shared, row.surplus].map((value, index) => (
      <td key={index === 0 ? 'shared' : 'surplus'} className="tabular whitespace-nowrap py-4 pl-1.5 text-right sm:pl-3">
        {formatNumber(value, 1)}
        <span className="text-xs text-ink-soft sm:text-sm">{'\u00a0'}MWh</span>
      </td>
    ))}
    {[row.selfConsumption, row.selfProduction].map((value, index) => (
      <td
        key={index === 0 ? 'used' : 'covered'}
        className="tabular whitespace-nowrap py-4 pl-1.5 text-right sm:pl-3 font-medium"
      >
        {formatNumber(value)}
        <span className="text-sm font-normal text-ink-soft">{'\u00a0'}%</span>
      </td>
    ))}
  </tr>
)

/** The same roof, or another, among more or fewer neighbours. */
export function EnergyBalance({ rows, note, ...section }: BalanceContent) {
  const maxEnergy = Math.max(...rows.map(({ shared, surplus }) => shared + surplus))
  return (
    <PageSection {...section}>
      <div aria-hidden="true" className="mt-8 flex gap-6 text-sm text-ink-soft max-md:hidden">
        <LegendKey fill={SHARED_COLOUR} name="Énergie partagée" />
        <LegendKey fill={SURPLUS_COLOUR} name="Surplus" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="relative mt-3 overflow-x-auto" tabIndex={0} aria-label={section.title}>
        <table className="w-full max-sm:text-[0.8125rem] sm:min-w-[34rem]">
          <caption className="sr-only">{section.title}</caption>
          <thead className="text-sm text-ink-soft">
            <tr className="border-line-strong border-b">
              <th scope="col" className="py-3 pr-4 text-left font-medium">
                Puissance et participants
              </th>
              <th scope="col" className="max-md:hidden">
                <span className="sr-only">Partagé et surplus, dessinés</span>
              </th>
              {['Partagé', 'Surplus', 'Autoconsommation', 'Autoproduction'].map((title) => (
                <th key={title} scope="col" className={headCellClass}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Line key={row.label + row.note} row={row} most={maxEnergy} />
            ))}
          </tbody>
        </table>
      </section>
      <p className="prose-width mt-6 text-sm text-ink-soft">{note}</p>
    </PageSection>
  )
}
