import { formatNumber } from '../../lib/format.ts'
import { computeLocalShare, formatQuarter, type Neighbour } from './day-model.ts'
import written from './neighbours.json'

const formatWattHours = (wattMinutes: number) => `${formatNumber(Math.round(wattMinutes / 60))}\u00a0Wh`

/** What each neighbour consumed and received, to be read. */
export default function NeighbourTable({ at }: { at: number }) {
  return (
    <table className="mt-3 w-full text-[0.9375rem] sm:max-w-2xl">
      <caption className="pb-2 text-left text-sm text-ink-soft">De {formatQuarter(at)}, par voisin</caption>
      <thead className="text-sm text-ink-soft">
        <tr className="border-line border-b">
          <th scope="col" className="py-2 text-left font-medium">
            Voisin
          </th>
          {['Consommé', 'Reçu du toit', 'Part locale'].map((title) => (
            <th key={title} scope="col" className="py-2 pl-2 text-right font-medium">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {neighbours.map(({ name, consumed, received }) => (
          <tr key={name} className="border-line border-b">
            <th scope="row" className="py-1.5 text-left font-normal">
              {name}
            </th>
            {[
              formatWattHours(consumed[at] ?? 0),
              formatWattHours(received[at] ?? 0),
              `${Math.round(computeLocalShare(consumed[at] ?? 0, received[at] ?? 0) * 100)}\u00a0%`,
            ].map((value, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: three columns that never move
              <td key={column} className="tabular py-1.5 pl-2 text-right">
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const parseSeries = (text: string) => text.split(' ').map(Number)

/** The same day, neighbour by neighbour: read by whoever opens the table, and not before. */
export const neighbours: Neighbour[] = written.map(({ name, consumed, received }) => ({
  name,
  consumed: parseSeries(consumed),
  received: parseSeries(received),
}))
