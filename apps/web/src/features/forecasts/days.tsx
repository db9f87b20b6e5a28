import type { Forecast, ForecastDay } from '@voisol/contract/forecasts'
import { formatLongDate } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { formatForecastEnergy } from './energy-text.ts'

const formatBand = ({ low, high }: ForecastDay) =>
  low === null || high === null ? '—' : `${formatForecastEnergy(low)} à ${formatForecastEnergy(high)}`

const columns: Column<ForecastDay & { id: string }>[] = [
  { header: 'Jour', cell: ({ day }) => formatLongDate(day) },
  { header: 'Prévu', align: 'end', cell: ({ middle }) => formatForecastEnergy(middle) },
  {
    header: 'Bande',
    align: 'end',
    cell: (day) => <span className="text-ink-soft">{formatBand(day)}</span>,
  },
  { header: 'Persistance', align: 'end', cell: ({ persistence }) => formatForecastEnergy(persistence) },
  {
    header: 'Mesuré',
    align: 'end',
    cell: ({ measured }) =>
      measured === null ? <span className="text-ink-soft">pas encore</span> : formatForecastEnergy(measured),
  },
]

/** Energy of each day; where its band comes from is said. */
export function ForecastDays({ said }: { said: Forecast }) {
  const measured = said.days.every(({ band }) => band === 'measured')
  return (
    <Card title="Par jour">
      <div className="grid gap-3">
        <Table
          label="Énergie prévue par jour"
          rows={said.days.map((day) => ({ ...day, id: day.day }))}
          columns={columns}
        />
        <p className="prose-width text-body text-ink-soft">
          {measured
            ? 'La bande d’un jour vient des erreurs mesurées sur les jours passés, à la même échéance.'
            : 'Moins de 14 jours entiers sont mesurés à certaines échéances\u00a0: leur bande additionne alors celles de chaque pas, elle est plus large que 80\u00a0%.'}
        </p>
      </div>
    </Card>
  )
}
