import { useQuery } from '@tanstack/react-query'
import type { LineStep } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import { ALLOCATION_METHOD_LABELS } from '../../lib/energy-labels.ts'
import { formatTime } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatDocumentKwh, formatPreciseMoney } from './labels.ts'

const MINUTE_MS = 60_000
const isMethod = (name: string): name is keyof typeof ALLOCATION_METHOD_LABELS =>
  Object.hasOwn(ALLOCATION_METHOD_LABELS, name)

const cellClass = 'tabular py-1 pl-3 text-right whitespace-nowrap'

function StepTable({ items, minutes }: { items: LineStep[]; minutes: number }) {
  const hasSeveralProducers = new Set(items.flatMap(({ producers }) => producers)).size > 1
  return (
    <table className="w-full">
      <caption className="sr-only">Quarts d’heure du jour</caption>
      <thead>
        <tr className="text-ink-soft">
          <th scope="col" className="py-1 text-left font-normal">
            Heure
          </th>
          <th scope="col" className="py-1 pl-3 text-right font-normal">
            Consommé
          </th>
          <th scope="col" className="py-1 pl-3 text-right font-normal">
            Local
          </th>
          <th scope="col" className="py-1 pl-3 text-right font-normal">
            HT
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ start, drawnWh, wh, amount, producers }) => (
          <tr key={start} className="border-t border-line">
            <th scope="row" className="py-1 text-left font-normal">
              <span className="tabular whitespace-nowrap">
                {formatTime(start)} – {formatTime(Date.parse(start) + minutes * MINUTE_MS)}
              </span>
              {hasSeveralProducers && <span className="block text-ink-soft">{producers.join(', ')}</span>}
            </th>
            <td className={cellClass}>{drawnWh === null ? 'inconnu' : formatDocumentKwh(drawnWh)}</td>
            <td className={cellClass}>{formatDocumentKwh(wh)}</td>
            <td className={cellClass}>{formatPreciseMoney(amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type LineStepsProps = { id: string; line: number; day: string; from: string[] }

/** A day of a line by its steps: what the meter drew, what the key gave it, and what that costs. */
export function LineSteps({ id, line, day, from }: LineStepsProps) {
  const { data, error, refetch } = useQuery(query(invoices.lineSteps, { params: { id, line, day } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="my-2 h-24 w-full" />
  const { items, minutes, key, wh, amount } = data
  const method = key && isMethod(key.method) ? ALLOCATION_METHOD_LABELS[key.method].label : ''
  return (
    <div className="mb-3 grid gap-2 rounded-control bg-page p-3">
      <p className="text-ink-soft">
        {from.join(', ')}
        {key && `. Clé n°\u00a0${key.number}${method && `, ${method.toLowerCase()}`}`}. Ce jour fait{' '}
        {formatDocumentKwh(wh)} et {formatPreciseMoney(amount)} hors taxes.
      </p>
      {items.length > 0 ? (
        <StepTable items={items} minutes={minutes} />
      ) : (
        <p>Le calcul qui a donné ce jour n’est plus gardé&nbsp;: ses quarts d’heure ne peuvent pas être montrés.</p>
      )}
    </div>
  )
}
