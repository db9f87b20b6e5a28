import { allocations } from '@voisol/contract/allocations'
import type { EnergySummary } from '@voisol/contract/energy'
import type { Operation } from '@voisol/contract/operations'
import { Suspense } from 'react'
import { ButtonLink } from '../../../../components/button.tsx'
import { cardClass } from '../../../../components/card.tsx'
import { cx } from '../../../../components/cx.ts'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { EnergyExplorer } from '../../../../components/energy-explorer/energy-explorer.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { lazy } from '../../../../components/lazy.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { usePeriod } from '../../../../components/period/period.ts'
import { SuspendedNotice } from '../../../../components/suspended.tsx'
import { useCan } from '../../../../lib/can.tsx'
import { formatCount, formatDate, formatNumber, formatPercent } from '../../../../lib/format.ts'
import { useSession } from '../../../../lib/session.ts'
import { CertaintyBadges, Term } from '../labels.tsx'
import { useTabLink } from '../tab-and-period.ts'

const FlowCard = lazy(async () => ({ default: (await import('../flow-card.tsx')).FlowCard }))
const PeriodFigures = lazy(async () => ({ default: (await import('./period-figures.tsx')).PeriodFigures }))
const PointTable = lazy(async () => ({ default: (await import('./point-table.tsx')).PointTable }))
const PairTable = lazy(async () => ({ default: (await import('./pair-table.tsx')).PairTable }))

const EMPTY_STATE = (
  <EmptyState
    title="Aucune donnée sur cette période"
    why="Importez les courbes de charge des points, ou choisissez une autre période."
    action={
      <ButtonLink variant="secondary" to="/enedis-data">
        Importer des courbes
      </ButtonLink>
    }
  />
)

/** What was shared over a period, seen from far to near: figures, flows, curve, points, pairs. */
export default function ResultTab({ operation }: { operation: Operation }) {
  const [period] = usePeriod('month')
  const link = useTabLink()
  const where = { operationId: operation.id }
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <EnergyExplorer
        title="Production et consommation"
        where={where}
        unitPrice={operation.unitPrice}
        empty={EMPTY_STATE}
      >
        {({ period: shown, summary: { data, error, refetch } }) => {
          if (error) return <ErrorState error={error} onRetry={refetch} />
          if (!data) return <Skeleton className="h-40 w-full" />
          return (
            <>
              <ReliabilityCard summary={data} operation={operation} runsTo={link('calculs')} />
              <Suspense fallback={<Skeleton className="h-40 w-full" />}>
                <PeriodFigures summary={data} period={shown} />
              </Suspense>
              {data.steps.allocated > 0 && (
                <Suspense fallback={<Skeleton className="h-96 w-full" />}>
                  <FlowCard where={where} period={period} />
                </Suspense>
              )}
            </>
          )
        }}
      </EnergyExplorer>
      <Suspense fallback={<Skeleton className="h-72 w-full" />}>
        <PointTable operationId={operation.id} period={period} />
        <PairTable where={where} period={period} />
      </Suspense>
    </div>
  )
}

type ReliabilityProps = { summary: EnergySummary; operation: Operation; runsTo: string }

const describeReliability = ({ stale, definitive, steps }: EnergySummary, runs: boolean) => {
  if (steps.allocated === 0) return 'Aucun calcul ne couvre encore cette période.'
  if (stale)
    return `Des relevés ou une clé ont changé depuis le calcul${runs ? '\u00a0: relancez-le, l’écart avec l’ancien sera affiché.' : '.'}`
  return definitive
    ? 'Ces chiffres font foi\u00a0: ils servent à la facturation.'
    : 'Ces chiffres suivent les relevés reçus\u00a0; un calcul définitif les arrêtera.'
}

function ExcludedSteps({ summary: { steps, suspended }, operation }: Pick<ReliabilityProps, 'summary' | 'operation'>) {
  const { user } = useSession()
  if (steps.excluded === 0 && steps.estimated === 0) return null
  const all = steps.allocated + steps.excluded
  // Those of the meters named above are told already.
  const left = steps.excluded - suspended.reduce((sum, one) => sum + one.steps, 0)
  return (
    <div className="grid gap-2 border-t border-line pt-3 text-body text-ink-soft">
      {left > 0 && (
        <p className="prose-width">
          {formatCount(left, 'relevé')} sur {formatNumber(all)} ({formatPercent(left / all)}){' '}
          {left < 2 ? 'est resté' : 'sont restés'} hors du partage&nbsp;: à ce{' '}
          <Term
            meaning={`L’énergie se partage par tranches de ${operation.stepMinutes} minutes, appelées pas de temps.`}
          >
            pas de temps
          </Term>
          , il manquait un relevé ou une clé. Rien n’est inventé à la place.
        </p>
      )}
      {steps.estimated > 0 && (
        <p>
          {formatCount(steps.estimated, 'relevé estimé', 'relevés estimés')}{' '}
          {steps.estimated < 2 ? 'est signalé' : 'sont signalés'} sur les courbes.
        </p>
      )}
      {steps.excluded > 0 && (
        <p>
          <ButtonLink
            variant="secondary"
            size="small"
            to={`/companies/${user?.companyId ?? ''}/operations/${operation.id}/load-curves`}
          >
            Voir les relevés manquants
          </ButtonLink>
        </p>
      )}
    </div>
  )
}

/** How sure the figures of the period are, why, and what to do about it. */
function ReliabilityCard({ summary, operation, runsTo }: ReliabilityProps) {
  const { stale, definitive, steps, receivedUntil } = summary
  const canStartRun = useCan()(allocations.start)
  const isOpen = steps.allocated === 0 || stale
  return (
    <section aria-label="Fiabilité des chiffres" className={cx(cardClass, 'grid gap-3 p-5')}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <CertaintyBadges stale={stale} definitive={definitive} allocated={steps.allocated > 0} />
        <p className="min-w-0 grow text-body">
          {describeReliability(summary, canStartRun)}
          {receivedUntil && (
            <span className="text-ink-soft"> Données reçues jusqu’au {formatDate(Date.parse(receivedUntil) - 1)}.</span>
          )}
        </p>
        {isOpen && canStartRun && (
          <ButtonLink variant={stale ? 'primary' : 'secondary'} size="small" to={runsTo}>
            {stale ? 'Relancer le calcul' : 'Lancer un calcul'}
          </ButtonLink>
        )}
      </div>
      <SuspendedNotice suspended={summary.suspended} />
      <ExcludedSteps summary={summary} operation={operation} />
    </section>
  )
}
