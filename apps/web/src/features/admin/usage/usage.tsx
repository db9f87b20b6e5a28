import { useQuery } from '@tanstack/react-query'
import { type Usage, type Used, usage } from '@voisol/contract/usage'
import Download from 'lucide-react/icons/download'
import { BarChart } from '../../../components/bar-chart.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { Progress } from '../../../components/progress.tsx'
import { KpiTile } from '../../../components/tile.tsx'
import { download } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatMonth, formatNumber } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const downloadUsage = () =>
  download(usage.file, {}).catch((error: unknown) =>
    toast({ title: 'Export impossible', description: explainError(error), variant: 'destructive' }),
  )

const formatLimitNote = ({ limit }: Pick<Used, 'limit'>, word: string) =>
  limit === null ? 'Sans limite' : `Sur ${formatNumber(limit)} ${word}`

function UsageTiles({ points, calls, storage, mails }: Usage) {
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <KpiTile label="Points de mesure" figure={formatNumber(points.used)} note={formatLimitNote(points, 'compris')}>
        {points.limit !== null && <Progress label="Part utilisée" done={Math.min(1, points.used / points.limit)} />}
      </KpiTile>
      <KpiTile
        label="Appels d’API ce mois-ci"
        figure={formatNumber(calls.used)}
        note={formatLimitNote(calls, 'permis par mois')}
      />
      <KpiTile label="Fichiers conservés" figure={formatStorageSize(storage.used)} note="Sans limite" />
      <KpiTile label="Messages envoyés ce mois-ci" figure={formatNumber(mails.used)} note="Sans limite" />
    </div>
  )
}

function describePoints({ used, limit, reached }: Usage['points']): string {
  const now = `${formatCount(used, 'point utilisé', 'points utilisés')} aujourd’hui, entrées à venir comprises`
  if (limit === null) return `${now}, sans limite.`
  if (used >= limit)
    return `${now}\u00a0: la limite de ${formatNumber(limit)} est atteinte, rien de ce qui tourne n’est coupé.`
  const pace = reached
    ? ` Au rythme des trois derniers mois, la limite serait atteinte en ${formatMonth(reached)}.`
    : ''
  return `${now} sur ${formatNumber(limit)}.${pace}`
}

type UsageChartProps = {
  title: string
  label: string
  unit: string
  summary: string
  months: Used['months']
  color: string
  scale?: (value: number) => number
}

/** A year of nothing is a sentence. */
const UsageChart = ({ title, label, unit, summary, months, color, scale = (value) => value }: UsageChartProps) =>
  months.every(({ value }) => value === 0) ? (
    <Card title={title}>
      <p className="text-body text-ink-soft">{summary}</p>
    </Card>
  ) : (
    <Card>
      <BarChart
        title={title}
        summary={summary}
        unit={unit}
        series={[{ label, color }]}
        bars={months.map((one) => toBar(one, scale))}
      />
    </Card>
  )

const UsageCharts = ({ points, calls, storage, mails }: Usage) => (
  <div className="grid gap-6 xl:grid-cols-2 [&>*]:min-w-0">
    <UsageChart
      title="Points de mesure à la fin de chaque mois"
      label="Points"
      unit="points"
      summary={describePoints(points)}
      months={points.months}
      color="#1E3A8A"
    />
    <UsageChart
      title="Appels d’API par mois"
      label="Appels"
      unit="appels"
      summary={describePeak(calls.months, 'Aucun appel de clé d’API en un an.', (value) => formatCount(value, 'appel'))}
      months={calls.months}
      color="#64748B"
    />
    <UsageChart
      title="Fichiers conservés à la fin de chaque mois"
      label="Fichiers"
      unit="Mo"
      summary={`${formatStorageSize(storage.used)} aujourd’hui, parmi ce qui est encore gardé\u00a0: un fichier déposé deux fois n’est compté qu’une.`}
      months={storage.months}
      color="#14B8A6"
      scale={toMegabytes}
    />
    <UsageChart
      title="Messages envoyés par mois"
      label="Messages"
      unit="messages"
      summary={describePeak(mails.months, 'Aucun message compté en un an.', (value) => formatCount(value, 'message'))}
      months={mails.months}
      color="#F59E0B"
    />
  </div>
)

/** What the company uses of its plan and of the installation, and how it came to it. */
export default function UsageScreen() {
  const { data, error, refetch } = useQuery({ ...query(usage.get, {}), staleTime: 0 })
  return (
    <>
      <PageHeader
        title="Utilisation"
        description={
          <>
            Ce que votre organisation utilise, et ce que comprend{' '}
            <Link to="/subscription-plans" className="text-link">
              son abonnement
            </Link>
            .
          </>
        }
        actions={
          <Button variant="secondary" icon={<Download aria-hidden="true" />} onClick={downloadUsage}>
            Exporter en CSV
          </Button>
        }
      />
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data ? (
        <div className="grid gap-6 [&>*]:min-w-0">
          <UsageTiles {...data} />
          <UsageCharts {...data} />
        </div>
      ) : (
        <Skeleton className="h-96 w-full" />
      )}
    </>
  )
}

type UsageMonth = Used['months'][number]
const SIZE_UNITS = ['o', 'ko', 'Mo', 'Go', 'To']

/** Bytes as a person reads them. */
function formatStorageSize(value: number): string {
  const step = value < 1 ? 0 : Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log10(value) / 3))
  const scaled = value / 1000 ** step
  return `${formatNumber(scaled, step === 0 || scaled >= 100 ? 0 : 1)}\u00a0${SIZE_UNITS[step]}`
}
const toMegabytes = (value: number) => Math.round(value / 10_000) / 100

const toBar = ({ month: day, value }: UsageMonth, scale: (value: number) => number) => ({
  label: formatMonth(day),
  short: day.slice(5, 7),
  values: [scale(value)],
})

/** The month in which there was most. */
function describePeak(months: readonly UsageMonth[], none: string, format: (value: number) => string): string {
  const highest = months.reduce(
    (best, one) => (one.value > best.value ? one : best),
    months[0] ?? { month: '', value: 0 },
  )
  return highest.value === 0 ? none : `Au plus haut, ${format(highest.value)} en ${formatMonth(highest.month)}.`
}
