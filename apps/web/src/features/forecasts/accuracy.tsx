import { useQuery } from '@tanstack/react-query'
import { type ForecastAccuracy, type ForecastKind, forecasts } from '@voisol/contract/forecasts'
import { addDays } from '@voisol/energy/calendar'
import { formatCount, formatNumber, formatPercent } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatDayRange } from '../../ui/period/label.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import type { ForecastChoice } from './use-choice.ts'
import { describeScale, formatSignedPercent, HORIZON_LABELS, isCoverageOff, isWorseThanPersistence } from './words.ts'

type Row = ForecastAccuracy & { id: string }

const NOT_MEASURED = <span className="text-ink-soft">pas encore mesuré</span>
/** Said once in a row; what would follow from it is a dash. */
const NO_VALUE = <span className="text-ink-soft">—</span>
const formatShare = (value: number | null) => (value === null ? NO_VALUE : `${formatNumber(value * 100, 2)}\u00a0%`)

/** A word beside the colour: red is not enough for everybody. */
const AlertValue = ({ children, word }: { children: string; word: string }) => (
  <span className="font-semibold text-danger">
    {children} <span className="font-normal">({word})</span>
  </span>
)

const columns: Column<Row>[] = [
  { header: 'Échéance', cell: ({ horizon }) => <span className="whitespace-nowrap">{HORIZON_LABELS[horizon]}</span> },
  { header: 'Erreur (nMAE)', align: 'end', cell: ({ nMAE }) => (nMAE === null ? NOT_MEASURED : formatShare(nMAE)) },
  { header: 'Persistance', align: 'end', cell: ({ persistence }) => formatShare(persistence) },
  {
    header: 'Gain',
    align: 'end',
    cell: (row) => {
      if (row.skill === null) return NO_VALUE
      const text = formatSignedPercent(row.skill)
      return isWorseThanPersistence(row) ? <AlertValue word="moins bien que la persistance">{text}</AlertValue> : text
    },
  },
  { header: 'Biais', align: 'end', cell: ({ bias }) => (bias === null ? NO_VALUE : formatSignedPercent(bias)) },
  {
    header: 'Dans la bande',
    align: 'end',
    cell: (row) => {
      if (row.coverage === null) return NO_VALUE
      const text = formatPercent(row.coverage, 0)
      return isCoverageOff(row) ? <AlertValue word="hors de 70 à 90">{text}</AlertValue> : text
    },
  },
  {
    header: 'Bandes à deux bords',
    align: 'end',
    cell: ({ openCoverage }) => (openCoverage === null ? NO_VALUE : formatPercent(openCoverage, 0)),
  },
  { header: 'Pinball', align: 'end', cell: ({ pinball }) => formatShare(pinball) },
  { header: 'Jours mesurés', align: 'end', cell: ({ days }) => String(days) },
]

/** What the second share of the band counts. */
const OPEN_BAND_NOTES: Record<ForecastKind, string> = {
  production:
    '«\u00a0Bandes à deux bords\u00a0» laisse de côté celles qui n’ont pas de largeur. Les bords de la bande suivent ce que les deux dernières semaines ont manqué.',
  consumption: '«\u00a0Bandes à deux bords\u00a0» compte aussi la nuit.',
  surplus:
    '«\u00a0Bandes à deux bords\u00a0» laisse de côté celles qui commencent à zéro\u00a0: elles ne peuvent être manquées par le bas, et tiennent plus souvent qu’elles ne disent.',
}

/** How past forecasts did, from what was issued, on the same steps as persistence. */
export function ForecastAccuracyCard({ choice }: { choice: ForecastChoice }) {
  const { operationId, pointId, kind } = choice
  const { data, error, refetch } = useQuery(query(forecasts.accuracy, { query: { operationId, pointId, kind } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  const { from, to, least, items } = data
  const hasUnmeasuredHorizon = items.some(({ days }) => days < least)
  return (
    <Card title="Précision mesurée">
      <div className="grid gap-3">
        <Table
          label="Précision par échéance"
          rows={items.map((item) => ({ ...item, id: item.horizon }))}
          columns={columns}
        />
        <p className="prose-width text-body text-ink-soft">
          Sur les jours {formatDayRange(from, addDays(to, -1))}, en parts {describeScale(kind)}. Chaque prévision est
          comparée, telle qu’elle fut émise, à ce que les compteurs ont mesuré&nbsp;; les pas manquants ou estimés sont
          laissés de côté, pour elle comme pour la persistance. Bande et pinball ne comptent que soleil levé.{' '}
          {OPEN_BAND_NOTES[kind]}{' '}
          {hasUnmeasuredHorizon && `Une échéance n’est dite mesurée qu’après ${formatCount(least, 'jour')}.`}
        </p>
      </div>
    </Card>
  )
}
