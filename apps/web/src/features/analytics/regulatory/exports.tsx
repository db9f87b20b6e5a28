import { useQuery } from '@tanstack/react-query'
import {
  PERIOD_TYPE_BY_KIND,
  REGULATORY_LABELS,
  type RegulatoryExport,
  RegulatoryKind,
  type RegulatoryPreview,
  regulatory,
  SENDING_CHANNEL_LABELS,
} from '@voisol/contract/regulatory'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import Download from 'lucide-react/icons/download'
import { Suspense, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Select } from '../../../components/input.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { OperationSelector } from '../../../components/operation-choice.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { formatMonthYear } from '../../../components/period/period-labels.ts'
import { download } from '../../../lib/call.ts'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDate } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

function KindCards({ operationId }: { operationId: string }) {
  const { data, error, refetch } = useQuery(query(regulatory.list, { query: { operationId } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <div className="grid gap-4 xl:grid-cols-2 [&>*]:min-w-0">
      {RegulatoryKind.options.map((kind) => (
        <RegulatoryKindCard
          key={kind}
          kind={kind}
          operationId={operationId}
          versions={data.items.filter((item) => item.kind === kind)}
          offer={data.offers.find((offer) => offer.kind === kind)}
        />
      ))}
    </div>
  )
}

/** Each paper of an operation: what it would say today, its versions, and where they went. */
export default function RegulatoryExports() {
  return (
    <OperationSelector why="Ces pièces sont celles d’une opération.">
      {({ id }) => <KindCards operationId={id} />}
    </OperationSelector>
  )
}

type Props = {
  kind: RegulatoryKind
  operationId: string
  versions: RegulatoryExport[]
  offer: RegulatoryPreview | undefined
}
const MAX_SHOWN_VERSIONS = 3

function OfferStatus({ offer, last }: { offer: RegulatoryPreview; last: RegulatoryExport | undefined }) {
  const rowsText = formatCount(offer.rows, 'ligne')
  if (offer.changed === null) return <Badge tone="neutral">{`${rowsText}, aucune version établie`}</Badge>
  if (offer.changed) return <Badge tone="warning">{`Changé depuis la version ${last?.number ?? ''}`}</Badge>
  return <Badge tone="success">À jour</Badge>
}

function OlderVersions({ versions }: { versions: RegulatoryExport[] }) {
  if (versions.length === 0) return null
  return (
    <details className="text-body">
      <summary className="cursor-pointer py-1 text-ink-soft hover:text-ink">
        {formatCount(versions.length, 'version plus ancienne', 'versions plus anciennes')}
      </summary>
      <ul className="divide-y divide-line">
        {versions.map((version) => (
          <VersionItem key={version.id} version={version} />
        ))}
      </ul>
    </details>
  )
}

/** A kind of paper: what it is for, whether the last version still says what is true, and the versions. */
function RegulatoryKindCard({ kind, operationId, versions, offer }: Props) {
  const { title, purpose } = REGULATORY_LABELS[kind]
  return (
    <Card
      title={title}
      description={purpose}
      actions={<MakeVersionButton kind={kind} operationId={operationId} periodOf={PERIOD_TYPE_BY_KIND[kind]} />}
    >
      <div className="grid gap-3">
        {offer && (
          <div className="grid justify-items-start gap-2 text-body">
            <OfferStatus offer={offer} last={versions[0]} />
            {offer.missing.length > 0 && (
              <p className="text-warning">{`À compléter\u00a0: ${offer.missing.join(', ')}.`}</p>
            )}
          </div>
        )}
        {/* Where it is known what a paper would say, its badge says that there is none yet. */}
        {versions.length === 0 && !offer && <p className="text-body text-ink-soft">Aucune version n’a été établie.</p>}
        {versions.length > 0 && (
          <ul className="divide-y divide-line">
            {versions.slice(0, MAX_SHOWN_VERSIONS).map((version) => (
              <VersionItem key={version.id} version={version} />
            ))}
          </ul>
        )}
        <OlderVersions versions={versions.slice(MAX_SHOWN_VERSIONS)} />
      </div>
    </Card>
  )
}

type MakeProps = { kind: RegulatoryKind; operationId: string; periodOf: 'now' | 'month' | 'year' }
type PeriodOption = { value: string; label: string }

const OFFERED_MONTHS = 24
const OFFERED_YEARS = 5
/** Of movements those to come too: they are announced before they take effect. */
function buildMonthOptions(kind: RegulatoryKind): PeriodOption[] {
  const first = monthOf(getTodayInParis())
  const ahead = kind === 'movements' ? 2 : -1
  return Array.from({ length: OFFERED_MONTHS }, (_, at) => addMonths(first, ahead - at)).map((day) => ({
    value: day.slice(0, 7),
    label: formatMonthYear(day),
  }))
}
function buildYearOptions(): PeriodOption[] {
  const year = Number(getTodayInParis().slice(0, 4))
  return Array.from({ length: OFFERED_YEARS }, (_, at) => ({ value: `${year - at}`, label: `${year - at}` }))
}
/** The month that goes on, or the year that is over. */
const getUsualPeriod = ({ kind, periodOf }: MakeProps) => {
  const today = getTodayInParis()
  if (periodOf === 'now') return ''
  if (periodOf === 'year') return `${Number(today.slice(0, 4)) - 1}`
  return kind === 'movements' ? today.slice(0, 7) : addMonths(monthOf(today), -1).slice(0, 7)
}

const MakeVersionButton = withAccess(regulatory.make, (props: MakeProps) => {
  const { kind, operationId, periodOf } = props
  const [period, setPeriod] = useState(() => getUsualPeriod(props))
  const make = useAction(regulatory.make, [regulatory.list, regulatory.duties])
  const run = () =>
    make.run({ body: { operationId, kind, period } }).then(
      ({ number, already }) =>
        toast(
          already
            ? {
                title: 'Rien n’a changé',
                description: `La version ${number} dit déjà l’état du jour.`,
                variant: 'success',
              }
            : { title: `Version ${number} établie`, variant: 'success' },
        ),
      (error: unknown) =>
        toast({ title: 'Version non établie', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <>
      {periodOf !== 'now' && (
        <Select
          aria-label={periodOf === 'month' ? 'Mois' : 'Année'}
          className="w-44"
          value={period}
          options={periodOf === 'month' ? buildMonthOptions(kind) : buildYearOptions()}
          onChange={({ target }) => setPeriod(target.value)}
        />
      )}
      <Button variant="secondary" size="small" loading={make.isPending} onClick={run}>
        Établir
      </Button>
    </>
  )
})

const SendingDialog = lazy(() => import('./sending.tsx'))
type VersionProps = { version: RegulatoryExport }

function VersionFiles({ version: { id, file, paper } }: VersionProps) {
  const downloadFile = (part: 'table' | 'paper') =>
    void download(regulatory.file, { params: { id }, query: { part } }).catch((error: unknown) =>
      toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
    )
  const kind = file.name.split('.').at(-1)?.toUpperCase() ?? 'Fichier'
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        icon={<Download aria-hidden="true" />}
        aria-label={`${file.name}, télécharger`}
        onClick={() => downloadFile('table')}
      >
        {kind}
      </Button>
      {paper && (
        <Button
          variant="quiet"
          size="small"
          icon={<Download aria-hidden="true" />}
          aria-label={`${paper.name}, télécharger`}
          onClick={() => downloadFile('paper')}
        >
          PDF
        </Button>
      )}
    </>
  )
}

/** A version with its files and where it went; what was said of a sending stays. */
function VersionItem({ version }: VersionProps) {
  const [sending, setSending] = useState(false)
  const can = useCan()
  const { number, period, rows, madeAt, madeBy, sendings } = version
  return (
    <li className="grid gap-1 py-3 text-body first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0">
          <span className="block font-medium">
            {[`Version ${number}`, formatMonthOrYear(period)].filter(Boolean).join(', ')}
          </span>
          <span className="tabular block text-[0.8125rem] text-ink-soft">
            {`${formatDate(madeAt)}, ${madeBy} · ${rows} ligne${rows > 1 ? 's' : ''}`}
          </span>
        </span>
        <span className="flex flex-wrap items-center gap-1">
          <VersionFiles version={version} />
          {can(regulatory.send) && (
            <Button
              variant="secondary"
              size="small"
              aria-label={`Noter l’envoi de la version ${number}`}
              onClick={() => setSending(true)}
            >
              Noter un envoi
            </Button>
          )}
        </span>
      </div>
      {sendings.map(({ id, sentOn, to, channel, note, by }) => (
        <p key={id} className="tabular text-[0.8125rem] text-ink-soft">
          {`Envoyée le ${formatDate(sentOn)} à ${to}, ${SENDING_CHANNEL_LABELS[channel].toLowerCase()} (${by})${note && `\u00a0: ${note}`}`}
        </p>
      ))}
      {sending && (
        <Suspense>
          <SendingDialog version={version} onClose={() => setSending(false)} />
        </Suspense>
      )}
    </li>
  )
}

/** « mai 2026 », « 2026 », or nothing. */
const formatMonthOrYear = (period: string) => (period.length === 7 ? formatMonthYear(`${period}-01`) : period)
