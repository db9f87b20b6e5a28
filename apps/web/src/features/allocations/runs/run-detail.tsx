import { allocations, type Run } from '@voisol/contract/allocations'
import type { Operation } from '@voisol/contract/operations'
import { reconciliation } from '@voisol/contract/reconciliation'
import { sync } from '@voisol/contract/sync'
import { monthOf } from '@voisol/energy/calendar'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { useCan } from '../../../lib/can.tsx'
import { buildPeriodSearch } from '../../../lib/context.ts'
import { buildMonthSearch } from '../../../lib/day-search.ts'
import { formatCount, formatDateTime } from '../../../lib/format.ts'
import { useOpenName } from '../../../lib/subject.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useTabLink } from '../tab-link.ts'
import { CompletenessCard } from './completeness.tsx'
import { CountsCard, TotalsCard } from './counts.tsx'
import { ExcludedDays } from './excluded-days.tsx'
import { ProofCard, TraceCard } from './proof.tsx'
import { SignOffNotice } from './sign-off.tsx'
import { StartRunDialog } from './start-dialog.tsx'
import { isRunActive, useAllocationRun } from './use-runs.ts'
import { formatRunDays, RUN_KIND_LABELS, RunBadges } from './words.tsx'

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

const DifferenceCard = lazy(async () => ({ default: (await import('./difference.tsx')).DifferenceCard }))
const FilesCard = lazy(async () => ({ default: (await import('./files.tsx')).FilesCard }))

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
