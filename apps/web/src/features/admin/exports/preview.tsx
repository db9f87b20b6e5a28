import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { dataExports, type NewExport } from '@voisol/contract/exports'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { query } from '../../../lib/queries.ts'
import { type ExportDataSet, formatRowCount } from './labels.ts'

const cellClass = 'max-w-64 truncate px-3 py-1.5 text-left whitespace-nowrap'

type FirstRowsProps = { columns: ExportDataSet['columns']; rows: string[][] }
const FirstRows = ({ columns, rows }: FirstRowsProps) => (
  <section
    aria-label="Premières lignes"
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
    tabIndex={0}
    className="shade-sideways overflow-x-auto rounded-control border border-line"
  >
    <table className="w-full border-collapse text-[0.8125rem]">
      <caption className="sr-only">Premières lignes de l’export</caption>
      <thead className="bg-page">
        <tr>
          {columns.map(({ name, unit }) => (
            <th key={name} scope="col" className={`${cellClass} font-medium`}>
              {name}
              {unit && <span className="font-normal text-ink-soft">{` (${unit})`}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="tabular">
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no name but their place
          <tr key={at} className="border-t border-line">
            {row.map((text, column) => (
              <td key={columns[column]?.name} className={cellClass} title={text}>
                {text || <span className="text-ink-soft">—</span>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

/** What each column means: it leaves with the file, too. */
const ColumnDictionary = ({ columns }: Pick<ExportDataSet, 'columns'>) => (
  <details className="text-body">
    <summary className="cursor-pointer font-medium">Dictionnaire des colonnes</summary>
    <dl className="mt-3 grid gap-x-8 gap-y-2 sm:grid-cols-2">
      {columns.map(({ name, unit, about }) => (
        <div key={name} className="min-w-0">
          <dt className="font-mono text-[0.8125rem] break-words">{unit ? `${name} (${unit})` : name}</dt>
          <dd className="text-ink-soft">{about}</dd>
        </div>
      ))}
    </dl>
  </details>
)

/** The first rows as they will be, and how many there are about. */
export function ExportPreview({ order, set }: { order: NewExport | undefined; set: ExportDataSet }) {
  const { data, error, refetch } = useQuery({
    ...query(dataExports.preview, { body: order ?? { dataSet: set.id, format: 'csv' } }),
    enabled: order !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  if (!order) return <p className="text-body text-ink-soft">Choisissez des jours, dans l’ordre, pour voir l’aperçu.</p>
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-48 w-full" />
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <p aria-live="polite" className="text-body">
        <span className="font-medium">Aperçu</span>
        <span className="text-ink-soft">
          {data.expected
            ? `, environ ${formatRowCount(data.expected)} en tout`
            : '\u00a0: rien à exporter avec ces choix.'}
        </span>
      </p>
      {data.refusal && (
        <p role="alert" className="text-body text-danger">
          {data.refusal}
        </p>
      )}
      {data.rows.length > 0 && <FirstRows columns={data.columns} rows={data.rows} />}
      <ColumnDictionary columns={set.columns} />
    </div>
  )
}
