import { useQuery } from '@tanstack/react-query'
import { allocations, type Run, type RunCounts } from '@voisol/contract/allocations'
import type { Operation } from '@voisol/contract/operations'
import { reconciliation } from '@voisol/contract/reconciliation'
import { sync } from '@voisol/contract/sync'
import { monthOf } from '@voisol/energy/calendar'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ShieldAlert from 'lucide-react/icons/shield-alert'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { CopyButton } from '../../../../components/copy-button.tsx'
import { SummaryStrip } from '../../../../components/detail-screen.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { lazy } from '../../../../components/lazy.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { Progress } from '../../../../components/progress.tsx'
import {
  buildConsumptionParts,
  buildProductionParts,
  toGridPart,
  toLocalPart,
  toSurplusPart,
} from '../../../../components/stack/energy-parts.ts'
import { ShareFigures } from '../../../../components/stack/share-bar.tsx'
import { useCan } from '../../../../lib/can.tsx'
import { formatCount, formatDate, formatDateTime, formatEnergy, formatNumber } from '../../../../lib/format.ts'
import { useOpenName } from '../../../../lib/object-names.ts'
import { buildPeriodSearch } from '../../../../lib/period-context.ts'
import { buildMonthSearch } from '../../../../lib/period-search.ts'
import { query } from '../../../../lib/queries.ts'
import { formatRate, toWattHours } from '../labels.tsx'
import { useTabLink } from '../tab-and-period.ts'
import { CompletenessCard, ExcludedDays, SignOffNotice } from './run-details.tsx'
import { formatRunDays, formatRunKeys, isRunActive, RUN_KIND_LABELS, RunBadges, useAllocationRun } from './runs.tsx'
import { StartRunDialog } from './start-run.tsx'

const describeForce = ({ daysInForce }: Run) =>
  daysInForce > 0
    ? `Ses chiffres sont ceux qui comptent, sur ${formatCount(daysInForce, 'jour')}.`
    : 'Un calcul plus récent l’a remplacé\u00a0: ses chiffres sont gardés pour mémoire.'

const getRunTitle = (run: Run) => `Calcul ${RUN_KIND_LABELS[run.kind].toLowerCase()} ${formatRunDays(run)}`

function RunHeader({ run, operation }: { run: Run; operation: Operation }) {
  const navigate = useNavigate()
  const link = useTabLink()
  const can = useCan()
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="grid gap-1.5">
        <h2 className="text-lg font-semibold">{getRunTitle(run)}</h2>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-body text-ink-soft">
          <RunBadges run={run} />
          Lancé le {formatDateTime(run.createdAt)}
          {run.status === 'done' && `. ${describeForce(run)}`}
        </p>
      </div>
      {!isRunActive(run) && (
        <div className="flex flex-wrap gap-2">
          {run.status === 'done' && (
            <ButtonLink
              variant="secondary"
              to={`?onglet=resultat&${buildPeriodSearch({ unit: 'range', from: run.from, to: run.to })}`}
            >
              Voir le résultat
            </ButtonLink>
          )}
          {can(reconciliation.months) && can(sync.standing) && (
            <ButtonLink
              variant="secondary"
              to={`/acc-operations/${operation.id}?onglet=distributeur&mois=${monthOf(run.from)}&${buildMonthSearch(run.from)}`}
            >
              Voir le rapprochement
            </ButtonLink>
          )}
          <StartRunDialog
            operation={operation}
            period={{ unit: 'range', from: run.from, to: run.to }}
            onStarted={({ id }) => void navigate(link('calculs', { calcul: id }))}
          />
        </div>
      )}
    </div>
  )
}

const DifferenceCard = lazy(async () => ({ default: (await import('./run-difference.tsx')).DifferenceCard }))
const FilesCard = lazy(async () => ({ default: (await import('./run-files.tsx')).FilesCard }))

const RunResults = ({ run, operation }: { run: Run; operation: Operation }) => (
  <>
    {run.signOff && <SignOffNotice signOff={run.signOff} />}
    {run.totals && <TotalsCard totals={run.totals} />}
    <div className="grid items-start gap-5 lg:grid-cols-2 [&>*]:min-w-0">
      <ProofCard run={run} />
      {run.counts && <CountsCard counts={run.counts} step={operation.stepMinutes} />}
    </div>
    <CompletenessCard run={run} />
    {run.counts && run.counts.excluded > 0 && <ExcludedDays run={run} />}
    <Suspense fallback={<Skeleton className="h-32 w-full" />}>
      <DifferenceCard runId={run.id} operationId={operation.id} />
    </Suspense>
    <div className="grid items-start gap-5 lg:grid-cols-2 [&>*]:min-w-0">
      <Suspense fallback={<Skeleton className="h-32 w-full" />}>
        <FilesCard run={run} />
      </Suspense>
      <TraceCard run={run} />
    </div>
  </>
)

/** One run: how far it is, then what it found and why it can be trusted. */
export default function RunDetail({ id, operation }: { id: string; operation: Operation }) {
  const link = useTabLink()
  const canStartRun = useCan()(allocations.start)
  const { data: run, error, refetch } = useAllocationRun(id)
  const address = `/acc-operations/${operation.id}/energy-distribution?onglet=calculs&calcul=${id}`
  useOpenName(run && getRunTitle(run), operation.name, address)
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <div>
        <ButtonLink variant="quiet" size="small" icon={<ArrowLeft aria-hidden="true" />} to={link('calculs')}>
          Tous les calculs
        </ButtonLink>
      </div>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!run && !error && <Skeleton className="h-96 w-full" />}
      {run && <RunHeader run={run} operation={operation} />}
      {run && isRunActive(run) && (
        <Card>
          <Progress label={run.message || 'Calcul en cours'} done={run.progress / 100} />
          <p className="mt-3 text-[0.8125rem] text-ink-soft">
            Vous pouvez quitter cette page&nbsp;: le calcul se poursuit.
          </p>
        </Card>
      )}
      {run?.status === 'failed' && (
        <ErrorState title="Le calcul a échoué" advice={run.message || 'Relancez-le, ou écrivez au support.'} />
      )}
      {run?.staleAt && (
        <p className="rounded-card bg-warning-soft p-4 text-body text-warning">
          À rectifier depuis le {formatDateTime(run.staleAt)}. {run.staleReason}
          {canStartRun && ' Relancez un calcul\u00a0: l’écart avec celui-ci sera affiché.'}
        </p>
      )}
      {run?.status === 'done' && <RunResults run={run} operation={operation} />}
    </div>
  )
}

/** Nothing was lost and nothing was made up: told so that anybody can follow. */
function ProofCard({ run }: { run: Run }) {
  const { data, error, refetch } = useQuery(query(allocations.proof, { params: { id: run.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-44 w-full" />
  const isProven = data.broken === 0 && data.above === 0 && data.sameHash
  const Icon = isProven ? ShieldCheck : ShieldAlert
  return (
    <Card title="Preuve de conservation" description="Les chiffres enregistrés, vérifiés à nouveau à l’instant.">
      <p className="flex items-start gap-2.5 text-body">
        <Icon aria-hidden="true" className={`size-6 shrink-0 ${isProven ? 'text-success' : 'text-danger'}`} />
        <span className="text-base font-semibold">
          {data.retiredBefore
            ? formatCount(data.checked, 'jour vérifié', 'jours vérifiés')
            : formatCount(data.checked, 'pas vérifié', 'pas vérifiés')}
          , {formatCount(data.broken + data.above, 'écart')}
        </span>
      </p>
      <ul className="mt-3 grid gap-1.5 text-body text-ink-soft">
        <li>
          {data.broken === 0
            ? 'À chaque instant, ce que les consommateurs ont reçu et le surplus font exactement la production.'
            : `À ${formatNumber(data.broken)} instants, la somme ne fait pas la production.`}
        </li>
        <li>
          {data.above === 0
            ? 'Personne n’a reçu plus que ce qu’il consommait.'
            : `À ${formatNumber(data.above)} instants, quelqu’un a reçu plus que ce qu’il consommait.`}
        </li>
        {data.retiredBefore && (
          <li>
            Les courbes d’avant le {formatDate(data.retiredBefore)} ont été effacées au terme de leur conservation.
            Leurs sommes de chaque jour restent, et sont vérifiées ici.
          </li>
        )}
        <li>
          {data.sameHash
            ? 'Rien n’a été modifié depuis le calcul\u00a0: l’empreinte est la même.'
            : 'L’empreinte a changé depuis le calcul\u00a0: prévenez le support.'}
        </li>
      </ul>
    </Card>
  )
}

const Hash = ({ label, value }: { label: string; value: string | null }) => (
  <div className="min-w-0">
    <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
    <dd className="mt-1 flex flex-wrap items-center gap-2">
      <code className="tabular max-w-[33ch] min-w-0 text-[0.8125rem] break-all">{value ?? '–'}</code>
      {value && <CopyButton text={value} />}
    </dd>
  </div>
)

/** What makes the result one that can be found again. */
const TraceCard = ({ run }: { run: Run }) => (
  <Card title="Traçabilité" description="Les mêmes données donnent toujours les mêmes empreintes.">
    <dl className="grid gap-4 text-body">
      <Hash label="Empreinte des données lues" value={run.inputHash} />
      <Hash label="Empreinte du résultat" value={run.resultHash} />
      <div>
        <dt className="text-[0.8125rem] text-ink-soft">Clé utilisée</dt>
        <dd className="mt-1">{formatRunKeys(run)}</dd>
      </div>
      <div>
        <dt className="text-[0.8125rem] text-ink-soft">Moteur de calcul</dt>
        <dd className="tabular mt-1">version {run.engineVersion}</dd>
      </div>
      {run.finishedAt && (
        <div>
          <dt className="text-[0.8125rem] text-ink-soft">Terminé le</dt>
          <dd className="tabular mt-1">{formatDateTime(run.finishedAt)}</dd>
        </div>
      )}
    </dl>
  </Card>
)

type Counts = z.infer<typeof RunCounts>

/** Why steps were left out or treated otherwise, each in a sentence. */
const listReasons = ({ consumerMissing, producerMissing, noKey, defaulted, estimated }: Counts) =>
  [
    [consumerMissing, 'sans le relevé d’un consommateur au moins'],
    [producerMissing, 'sans le relevé d’un producteur au moins'],
    [noKey, 'sans clé de répartition en vigueur'],
    [defaulted, 'sans coefficient dans les fichiers\u00a0: la règle par défaut a été appliquée'],
    [estimated, 'relevés estimés, signalés comme tels'],
  ] satisfies [number, string][]

function CountsCard({ counts, step }: { counts: Counts; step: number }) {
  const reasons = listReasons(counts).filter(([count]) => count > 0)
  return (
    <Card title="Instants répartis" description={`L’énergie se partage par pas de ${step} minutes.`}>
      <p className="text-body">
        <span className="tabular font-semibold">{formatNumber(counts.steps - counts.excluded)}</span> pas répartis sur{' '}
        {formatNumber(counts.steps)}.{' '}
        {counts.excluded === 0
          ? 'Aucun n’a été laissé de côté pour tous.'
          : `${formatCount(counts.excluded, 'pas laissé de côté', 'pas laissés de côté')}, jamais remplacés par une valeur inventée.`}
      </p>
      {reasons.length > 0 && (
        <ul className="mt-3 grid gap-1.5 text-body">
          {reasons.map(([count, words]) => (
            <li key={words} className="flex gap-2">
              <span className="tabular min-w-16 text-right font-medium">{formatNumber(count)}</span>
              <span className="text-ink-soft">{words}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** What was made and what was drawn, on the steps that were shared. */
function TotalsCard({ totals }: { totals: NonNullable<Run['totals']> }) {
  const wh = {
    produced: toWattHours(totals.produced),
    consumed: toWattHours(totals.consumed),
    allocated: toWattHours(totals.allocated),
    surplus: toWattHours(totals.surplus),
    complement: toWattHours(totals.complement),
  }
  const shared = wh.produced - wh.surplus
  const storage = totals.storage && {
    stored: toWattHours(totals.storage.stored),
    restored: toWattHours(totals.storage.restored),
    whole: true,
  }
  const ratio = (part: number, whole: number) => formatRate(whole > 0 ? part / whole : null)
  return (
    <Card title="Énergie">
      <div className="grid gap-5">
        <SummaryStrip
          facts={[
            { label: 'Production', value: formatEnergy(wh.produced) },
            { label: 'Consommation', value: formatEnergy(wh.consumed) },
            { label: 'Autoconsommation', value: ratio(shared, wh.produced) },
            { label: 'Autoproduction', value: ratio(wh.allocated, wh.consumed) },
          ]}
        />
        <div className="grid gap-6 lg:grid-cols-2">
          <div className="grid content-start gap-2">
            <h3 className="text-body font-medium">La production a été</h3>
            <ShareFigures
              parts={
                storage
                  ? buildProductionParts({ shared, surplus: wh.surplus, pendingProduced: 0, storage })
                  : [toLocalPart(wh.allocated, 'Partagée'), toSurplusPart(wh.surplus)]
              }
            />
          </div>
          <div className="grid content-start gap-2">
            <h3 className="text-body font-medium">La consommation venait de</h3>
            <ShareFigures
              parts={
                storage
                  ? buildConsumptionParts({ ...wh, pendingConsumed: 0, storage })
                  : [toLocalPart(wh.allocated, 'L’opération'), toGridPart(wh.complement, 'Le réseau')]
              }
            />
          </div>
        </div>
      </div>
    </Card>
  )
}
