import { useQuery } from '@tanstack/react-query'
import { type Usage, type Used, usage } from '@voisol/contract/usage'
import Download from 'lucide-react/icons/download'
import { download } from '../../lib/call.ts'
import { explain } from '../../lib/explain.ts'
import { month, number, plural } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { BarChart } from '../../ui/bar-chart.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tile } from '../../ui/tile.tsx'
import { barOf, megabytes, peakOf, size } from './words.ts'

const take = () =>
  download(usage.file, {}).catch((error: unknown) =>
    toast({ title: 'Export impossible', description: explain(error), variant: 'destructive' }),
  )

const limitNote = ({ limit }: Pick<Used, 'limit'>, word: string) =>
  limit === null ? 'Sans limite' : `Sur ${number(limit)} ${word}`

function Tiles({ points, calls, storage, mails }: Usage) {
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Tile label="Points de mesure" figure={number(points.used)} note={limitNote(points, 'compris')}>
        {points.limit !== null && <Progress label="Part utilisée" done={Math.min(1, points.used / points.limit)} />}
      </Tile>
      <Tile label="Appels d’API ce mois-ci" figure={number(calls.used)} note={limitNote(calls, 'permis par mois')} />
      <Tile label="Fichiers conservés" figure={size(storage.used)} note="Sans limite" />
      <Tile label="Messages envoyés ce mois-ci" figure={number(mails.used)} note="Sans limite" />
    </div>
  )
}

function pointsSummary({ used, limit, reached }: Usage['points']): string {
  const now = `${plural(used, 'point utilisé', 'points utilisés')} aujourd’hui, entrées à venir comprises`
  if (limit === null) return `${now}, sans limite.`
  if (used >= limit)
    return `${now}\u00a0: la limite de ${number(limit)} est atteinte, rien de ce qui tourne n’est coupé.`
  const pace = reached ? ` Au rythme des trois derniers mois, la limite serait atteinte en ${month(reached)}.` : ''
  return `${now} sur ${number(limit)}.${pace}`
}

type ChartProps = {
  title: string
  label: string
  unit: string
  summary: string
  months: Used['months']
  color: string
  scale?: (value: number) => number
}

/** A year of nothing is a sentence. */
const History = ({ title, label, unit, summary, months, color, scale = (value) => value }: ChartProps) =>
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
        bars={months.map((one) => barOf(one, scale))}
      />
    </Card>
  )

const Charts = ({ points, calls, storage, mails }: Usage) => (
  <div className="grid gap-6 xl:grid-cols-2 [&>*]:min-w-0">
    <History
      title="Points de mesure à la fin de chaque mois"
      label="Points"
      unit="points"
      summary={pointsSummary(points)}
      months={points.months}
      color="#1E3A8A"
    />
    <History
      title="Appels d’API par mois"
      label="Appels"
      unit="appels"
      summary={peakOf(calls.months, 'Aucun appel de clé d’API en un an.', (value) => plural(value, 'appel'))}
      months={calls.months}
      color="#64748B"
    />
    <History
      title="Fichiers conservés à la fin de chaque mois"
      label="Fichiers"
      unit="Mo"
      summary={`${size(storage.used)} aujourd’hui, parmi ce qui est encore gardé\u00a0: un fichier déposé deux fois n’est compté qu’une.`}
      months={storage.months}
      color="#14B8A6"
      scale={megabytes}
    />
    <History
      title="Messages envoyés par mois"
      label="Messages"
      unit="messages"
      summary={peakOf(mails.months, 'Aucun message compté en un an.', (value) => plural(value, 'message'))}
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
          <Button variant="secondary" icon={<Download aria-hidden="true" />} onClick={take}>
            Exporter en CSV
          </Button>
        }
      />
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data ? (
        <div className="grid gap-6 [&>*]:min-w-0">
          <Tiles {...data} />
          <Charts {...data} />
        </div>
      ) : (
        <Skeleton className="h-96 w-full" />
      )}
    </>
  )
}
