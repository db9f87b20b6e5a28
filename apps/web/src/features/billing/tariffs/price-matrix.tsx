import type { PriceCell, PriceMatrix } from '@voisol/contract/tariff-terms'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { cx } from '../../../components/cx.ts'
import { TIME_CLASS_LABELS } from '../../../lib/energy-labels.ts'
import { formatCount, formatNumber } from '../../../lib/format.ts'

const headClass = 'px-3 py-2 text-left align-bottom text-[0.8125rem] font-medium text-ink-soft'

/** When a column holds; of one that says no producer, that it is all of them. */
const describeColumn = ({ producer, class: name }: MatrixColumn) => {
  // The server names only these.
  if (name) return TIME_CLASS_LABELS[name as keyof typeof TIME_CLASS_LABELS]
  return producer ? 'À toute heure' : 'Tous producteurs, à toute heure'
}

function MatrixHeader({ columns }: { columns: MatrixColumn[] }) {
  const heads = buildProducerHeaders(columns)
  return (
    <thead className="border-b border-line bg-page">
      {heads.length > 0 && (
        <tr>
          <td />
          {heads.map(({ producer, span, key }) => (
            <th
              key={key}
              scope="colgroup"
              colSpan={span}
              className="border-l border-line px-3 pt-2 text-left text-[0.8125rem] font-medium"
            >
              {producer}
            </th>
          ))}
        </tr>
      )}
      <tr>
        <th scope="col" className={headClass}>
          Acheteurs
        </th>
        {columns.map((column) => (
          <th key={column.key} scope="col" className={cx(headClass, 'min-w-28 text-right')}>
            {describeColumn(column)}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function PriceValue({ cell }: { cell: PriceCell | undefined }) {
  if (!cell || cell.price === null)
    return (
      <span className="inline-flex items-center gap-1.5 text-[0.8125rem] text-danger">
        <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
        {cell?.missing ?? 'Sans prix'}
      </span>
    )
  return (
    <span className="tabular font-medium" title={cell.label || undefined}>
      {formatNumber(cell.price / 100, 2)}
    </span>
  )
}

const NoProducer = () => (
  <p className="text-body text-ink-soft">
    Ce jour-là, l’opération n’a pas de producteur&nbsp;: la grille se remplit dès qu’il y en a un.
  </p>
)

/** Who pays what, when: one line per kind of buyer, one column per producer and time where they differ. */
export function PriceMatrixTable({ matrix }: { matrix: PriceMatrix }) {
  if (matrix.columns.length === 0) return <NoProducer />
  const columns = mergeColumns(matrix)
  const computations = collectComputations(matrix)
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <section
        aria-label="Grille des prix"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
        tabIndex={0}
        className="relative overflow-x-auto rounded-control border border-line bg-card"
      >
        <table className="w-full border-collapse text-body">
          <caption className="sr-only">Prix en c€/kWh hors taxes</caption>
          <MatrixHeader columns={columns} />
          <tbody>
            {matrix.rows.map((row, at) => (
              <tr key={row.id ?? row.kind} className="border-t border-line first:border-t-0">
                <th scope="row" className="min-w-32 px-3 py-2.5 text-left font-medium">
                  {row.name}
                  {row.kind !== 'buyer' && (
                    <span className="tabular block text-[0.8125rem] font-normal text-ink-soft">
                      {formatCount(row.buyers, 'acheteur')}
                    </span>
                  )}
                </th>
                {columns.map((column) => (
                  <td key={column.key} className="px-3 py-2.5 text-right align-top">
                    <PriceValue cell={matrix.cells[at]?.[column.at]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="text-[0.8125rem] text-ink-soft">c€/kWh hors taxes.</p>
      {computations.length > 0 && (
        <div className="grid gap-1 text-[0.8125rem]">
          <h4 className="font-medium">Prix indexés</h4>
          <ul className="tabular grid gap-1 text-ink-soft">
            {computations.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

type MatrixColumn = { key: string; producer: string; class: string | null; at: number }

const arePricedAlike = (matrix: PriceMatrix, places: number[]) =>
  matrix.cells.every((row) => {
    const [first, ...others] = places.map((place) => row[place])
    return others.every((cell) => cell?.price === first?.price && cell?.rule === first?.rule)
  })

/** Hours that everybody pays alike are one column; producers too, where nothing tells them apart. */
export function mergeColumns(matrix: PriceMatrix): MatrixColumn[] {
  const places = matrix.columns.map((_, at) => at)
  if (places.length > 1 && arePricedAlike(matrix, places)) return [{ key: 'all', producer: '', class: null, at: 0 }]
  const byProducer = Map.groupBy(places, (at) => matrix.columns[at]?.producerId ?? '')
  return [...byProducer].flatMap(([id, own]) => {
    const column = (at: number, name: string | null): MatrixColumn => ({
      key: `${id} ${name}`,
      producer: matrix.columns[at]?.producer ?? '',
      class: name,
      at,
    })
    return arePricedAlike(matrix, own)
      ? [column(own[0] ?? 0, null)]
      : own.map((at) => column(at, matrix.columns[at]?.class ?? null))
  })
}

/** The producers above their columns, and over how many each stands; none where there is but one to name. */
export function buildProducerHeaders(
  columns: readonly MatrixColumn[],
): { producer: string; span: number; key: string }[] {
  const heads: { producer: string; span: number; key: string }[] = []
  for (const { producer, key } of columns) {
    const last = heads.at(-1)
    if (last?.producer === producer) last.span += 1
    else heads.push({ producer, span: 1, key })
  }
  return heads.length > 1 ? heads : []
}

/** How indexed prices came about, each computation once. */
export const collectComputations = (matrix: PriceMatrix): string[] => [
  ...new Set(
    matrix.cells
      .flat()
      .map(({ computation }: PriceCell) => computation)
      .filter(Boolean),
  ),
]
