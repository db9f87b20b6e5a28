import { type CurveImport, curves } from '@voisol/contract/curves'
import { withDe } from '@voisol/contract/elision'
import type { Operation } from '@voisol/contract/operations'
import CircleCheck from 'lucide-react/icons/circle-check'
import { type ReactNode, useState } from 'react'
import { Badge } from '../../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { Checkbox } from '../../../../components/checkbox.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { Pagination } from '../../../../components/pagination.tsx'
import { Progress } from '../../../../components/progress.tsx'
import { type Column, Table } from '../../../../components/table.tsx'
import { confirmImpact } from '../../../../lib/confirm-impact.ts'
import { formatPrm, getMeterSideLabel } from '../../../../lib/energy-labels.ts'
import { explainError } from '../../../../lib/error-text.ts'
import { formatCount, formatEnergy, formatNumber } from '../../../../lib/format.ts'
import { buildPeriodSearch } from '../../../../lib/period-context.ts'
import { useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { formatShortDayRange, IMPORT_STATUS_BADGES, type ImportSeries } from '../labels.ts'
import { useCurveTabLink } from '../tab-link.ts'
import { AbandonButton, useCurveImport } from './curve-import.tsx'
import { DetectionSection } from './detection.tsx'
import { ImportProblems } from './import-problems.tsx'
import { ImportQuestionForm } from './import-questions.tsx'

type Props = { id: string; operation?: Operation; onClose: () => void }

function RefusedImport({ item }: { item: CurveImport }) {
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <p role="alert" className="text-body text-danger">
        {item.message}
      </p>
      <p className="text-body text-ink-soft">
        Rien n’a été enregistré. Corrigez le fichier, puis déposez-le à nouveau.
      </p>
    </div>
  )
}

type ImportBodyProps = { item: CurveImport; operation?: Operation; consent: OverwriteConsent }

function ImportBody({ item, operation, consent }: ImportBodyProps): ReactNode {
  const working = { reading: 'Lecture du fichier', storing: 'Enregistrement des relevés' }
  if (item.status === 'reading' || item.status === 'storing')
    return (
      <div role="status" className="grid gap-3">
        <Progress label={working[item.status]} done={item.progress / 100} />
        <p className="text-[0.8125rem] text-ink-soft">Vous pouvez quitter cette page&nbsp;: le travail continue.</p>
      </div>
    )
  if (item.status === 'refused') return <RefusedImport item={item} />
  if (item.status === 'abandoned')
    return <p className="text-body text-ink-soft">Cet import a été abandonné&nbsp;: rien n’a été enregistré.</p>
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {item.status === 'done' && <ImportDone item={item} operation={operation} />}
      {item.status === 'ready' && item.message && (
        <p role="status" className="rounded-card bg-warning-soft p-4 text-body">
          {item.message}
        </p>
      )}
      {item.detected && <DetectionSection item={item} detected={item.detected} />}
      {item.status === 'ready' && item.asked.questions.length > 0 && <ImportQuestionForm item={item} />}
      <CurveImportPreview item={item} />
      {item.status === 'ready' && item.asked.questions.length === 0 && <OverwriteConsentBox item={item} {...consent} />}
    </div>
  )
}

type ImportActionsProps = { item: CurveImport; agreed: boolean; onClose: () => void }

function ImportActions({ item, agreed, onClose }: ImportActionsProps) {
  const commit = useAction(curves.commit, [curves.getImport, curves.imports])
  const [isSaving, setLooking] = useState(false)
  const { id } = item
  const previewAndCommit = async () => {
    const seen = await confirmImpact({ kind: 'import', id, body: { overwrite: agreed } }, 'Enregistrer ces relevés')
    if (seen) await commit.run({ params: { id }, body: { overwrite: agreed, ...seen } })
  }
  const saveReadings = () => {
    setLooking(true)
    previewAndCommit()
      .catch((error: unknown) =>
        toast({ title: 'Enregistrement impossible', description: explainError(error), variant: 'destructive' }),
      )
      .finally(() => setLooking(false))
  }
  const useful = item.series.some(({ pointId }) => pointId !== null)
  const answered = item.asked.questions.length === 0
  const isOverwriteAgreed = agreed || sumOverwrittenDays(item).days === 0
  if (item.status !== 'ready')
    return (
      <Button variant="secondary" onClick={onClose}>
        Importer un autre fichier
      </Button>
    )
  return (
    <>
      <AbandonButton id={item.id} name={item.name} onDone={onClose} />
      <Button
        disabled={!useful || !answered || !isOverwriteAgreed}
        loading={isSaving || commit.isPending}
        onClick={saveReadings}
      >
        Enregistrer
      </Button>
    </>
  )
}

/** One file, from its reading to its place in the store. */
export function ImportView({ id, operation, onClose }: Props) {
  const { data: item, error, refetch } = useCurveImport(id)
  const [agreed, onAgree] = useState(false)
  if (error)
    return (
      <Card
        actions={
          <Button variant="secondary" onClick={onClose}>
            Importer un autre fichier
          </Button>
        }
      >
        <ErrorState error={error} onRetry={refetch} />
      </Card>
    )
  if (!item) return <Skeleton className="h-64 w-full" />
  const { label, tone } = IMPORT_STATUS_BADGES[item.status]
  return (
    <Card
      title={item.name}
      description={<Badge tone={tone}>{label}</Badge>}
      actions={<ImportActions item={item} agreed={agreed} onClose={onClose} />}
    >
      <ImportBody item={item} operation={operation} consent={{ agreed, onAgree }} />
    </Card>
  )
}

type OverwriteConsent = { agreed: boolean; onAgree: (agreed: boolean) => void }

/** The days whose measured values would become others, and what they come to before and after. */
const sumOverwrittenDays = ({ series }: CurveImport) =>
  series.reduce(
    (sum, one) => ({
      days: sum.days + one.overwrittenDays,
      before: sum.before + one.overwrittenBeforeWh,
      after: sum.after + one.overwrittenAfterWh,
    }),
    { days: 0, before: 0, after: 0 },
  )

/** Measured values are replaced with consent only. */
function OverwriteConsentBox({ item, agreed, onAgree }: OverwriteConsent & { item: CurveImport }) {
  const { days, before, after } = sumOverwrittenDays(item)
  if (days === 0) return null
  return (
    <div className="rounded-card border border-warning p-4">
      <Checkbox
        checked={agreed}
        onChange={({ target }) => onAgree(target.checked)}
        label={`Remplacer ${formatCount(days, 'journée déjà enregistrée', 'journées déjà enregistrées')}\u00a0: ${formatEnergy(Math.round(before))} deviendront ${formatEnergy(Math.round(after))}`}
        hint="Ces relevés étaient mesurés&nbsp;: ce qui en a été calculé sera à refaire."
      />
    </div>
  )
}

/** What has been stored, and where to see it. */
function ImportDone({ item, operation }: { item: CurveImport; operation?: Operation }) {
  const own = item.detected
  const days = own && { unit: 'range', from: own.from, to: own.to }
  const tabLink = useCurveTabLink()
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card bg-success-soft p-4">
      <CircleCheck aria-hidden="true" className="size-5 text-success" />
      <p className="min-w-0 grow text-body font-medium">{item.message}</p>
      {days && (
        <div className="flex flex-wrap gap-2">
          {operation && (
            <ButtonLink
              size="small"
              to={`/acc-operations/${operation.id}/energy-distribution?onglet=calculs&${buildPeriodSearch(days)}`}
            >
              Répartir ces jours
            </ButtonLink>
          )}
          <ButtonLink variant="secondary" size="small" to={tabLink('courbes', days)}>
            {operation ? `Voir les courbes ${withDe(operation.name)}` : 'Voir les courbes'}
          </ButtonLink>
          <ButtonLink variant="secondary" size="small" to={tabLink('completude', days)}>
            Voir la complétude
          </ButtonLink>
        </div>
      )}
    </div>
  )
}

const PAGE_SIZE = 50
const renderCount = (value: number) => (value === 0 ? <span className="text-ink-muted">0</span> : formatNumber(value))

const columns: Column<ImportSeries & { id: string }>[] = [
  {
    header: 'Point',
    cell: ({ prm: digits, pointLabel, pointId, direction, storage }) => (
      <span className="block min-w-44 py-1">
        <span className="tabular block font-medium whitespace-nowrap">
          {digits ? formatPrm(digits) : 'PRM non donné'}
        </span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {[direction && getMeterSideLabel({ direction, storage }), pointLabel].filter(Boolean).join(' · ')}
        </span>
        {pointId === null && <Badge tone="danger">Laissé de côté</Badge>}
      </span>
    ),
  },
  {
    header: 'Jours',
    cell: ({ from, to }) => <span className="tabular whitespace-nowrap">{formatShortDayRange(from, to)}</span>,
  },
  { header: 'Nouvelles', align: 'end', cell: ({ newDays }) => renderCount(newDays) },
  { header: 'Modifiées', align: 'end', cell: ({ changedDays }) => renderCount(changedDays) },
  { header: 'Identiques', align: 'end', cell: ({ sameDays }) => renderCount(sameDays) },
  { header: 'Relevés', align: 'end', cell: ({ readings }) => renderCount(readings) },
  { header: 'Manquants', align: 'end', cell: ({ missing }) => renderCount(missing) },
  {
    header: 'Énergie',
    align: 'end',
    cell: ({ energyWh }) => <span className="whitespace-nowrap">{formatEnergy(energyWh)}</span>,
  },
]

const sumDays = (series: ImportSeries[], key: 'newDays' | 'changedDays' | 'sameDays') =>
  series.reduce((sum, one) => sum + one[key], 0)

/** What will change, in one sentence. */
function describeImpact({ series, status, asked }: CurveImport) {
  if (asked.questions.length > 0)
    return 'Aperçu provisoire, d’après une lecture supposée\u00a0: il sera refait avec vos choix.'
  const [newDays, changed, same] = [
    sumDays(series, 'newDays'),
    sumDays(series, 'changedDays'),
    sumDays(series, 'sameDays'),
  ]
  if (newDays + changed === 0 && same > 0)
    return `Ces ${formatCount(same, 'journée')} sont déjà connues à l’identique\u00a0: enregistrer ne changera rien.`
  const parts = [
    formatCount(newDays, 'journée nouvelle', 'journées nouvelles'),
    changed > 0 && `${formatCount(changed, 'journée modifiée', 'journées modifiées')} (l’ancienne version est gardée)`,
    same > 0 && formatCount(same, 'journée identique', 'journées identiques'),
  ].filter(Boolean)
  return `${status === 'done' ? 'À l’enregistrement' : 'Par rapport à ce qui est déjà connu'}\u00a0: ${parts.join(', ')}.`
}

/** Series by series, then remark by remark: what will enter, and what will not. */
function CurveImportPreview({ item }: { item: CurveImport }) {
  const [page, setPage] = useState(1)
  const rows = item.series.map((one, at) => ({ ...one, id: String(at) }))
  const label = 'Courbes du fichier'
  return (
    <>
      <section aria-labelledby={`${item.id}-series`} className="grid gap-3 [&>*]:min-w-0">
        <h3 id={`${item.id}-series`} className="text-body font-semibold">
          {formatCount(rows.length, 'courbe')}
        </h3>
        <p className="prose-width text-body text-ink-soft">{describeImpact(item)}</p>
        <Table label={label} rows={rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)} columns={columns} />
        {rows.length > PAGE_SIZE && (
          <Pagination label={label} page={page} size={PAGE_SIZE} total={rows.length} onPage={setPage} />
        )}
      </section>
      <ImportProblems item={item} />
    </>
  )
}
