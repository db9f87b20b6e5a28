import { INSIGHT_RULES, INSIGHT_STATES } from '@voisol/contract/insight-words'
import { type Insight, insights } from '@voisol/contract/insights'
import { Suspense, useId, useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { formatDate, formatEnergy, formatMoney, formatPercent } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { FactList } from '../../ui/fact-list.tsx'
import { Figure } from '../../ui/figure.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { formatInsightDays } from './days.ts'
import { InsightEvidence } from './evidence.tsx'

const DismissInsightDialog = lazy(() => import('./dismiss.tsx'))
const STATE_TONES: Record<Insight['state'], Tone> = {
  open: 'warning',
  accepted: 'info',
  dismissed: 'neutral',
  closed: 'success',
}

const formatStake = ({ cents, wh }: Insight) =>
  cents !== null ? formatMoney(cents) : wh !== null ? formatEnergy(wh) : '–'

const AcceptButton = withAccess(insights.accept, ({ insight }: { insight: Insight }) => {
  const accept = useAction(insights.accept, [insights.list])
  const acceptInsight = () =>
    accept
      .run({ params: { id: insight.id }, body: { version: insight.version } })
      .then(() => toast({ title: 'Constat retenu', variant: 'success' }))
      .catch((error: unknown) =>
        toast({ title: 'Constat non retenu', description: explainError(error), variant: 'destructive' }),
      )
  return (
    <Button size="small" loading={accept.isPending} onClick={acceptInsight}>
      Retenir
    </Button>
  )
})

const DismissButton = withAccess(insights.dismiss, ({ insight }: { insight: Insight }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" variant="secondary" onClick={() => setOpen(true)}>
        Écarter
      </Button>
      {open && (
        <Suspense fallback={null}>
          <DismissInsightDialog insight={insight} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
})

/** What was said of it, where somebody did. */
const buildDecisionFacts = ({ state, decidedBy, reason, silentUntil, closedAt }: Insight) => [
  ...(decidedBy ? [{ label: state === 'dismissed' ? 'Écarté par' : 'Retenu par', value: decidedBy }] : []),
  ...(reason ? [{ label: 'Raison', value: reason }] : []),
  ...(silentUntil && state === 'dismissed' ? [{ label: 'Silencieux jusqu’au', value: formatDate(silentUntil) }] : []),
  ...(state === 'closed' && closedAt ? [{ label: 'N’est plus constaté depuis le', value: formatDate(closedAt) }] : []),
]

function InsightDetails({ insight, id }: { insight: Insight; id: string }) {
  const { why, formula, evidence, from, to } = insight
  return (
    <div id={id} className="mt-5 grid gap-6 border-line border-t pt-5 [&>*]:min-w-0">
      <FactList
        facts={[
          { label: 'Ce qui a été mesuré', value: why.statistic },
          { label: 'Seuil', value: why.threshold },
          { label: 'Données', value: why.data },
          { label: 'Jours', value: formatInsightDays({ from, to }) },
          { label: 'Calcul de l’enjeu', value: formula },
          ...buildDecisionFacts(insight),
        ]}
      />
      <InsightEvidence evidence={evidence} title={`${INSIGHT_RULES[insight.rule]}\u00a0: les nombres`} />
    </div>
  )
}

/** One finding: the sentence, what it costs, how sure, what to do; its evidence on demand. */
export function InsightCard({ insight }: { insight: Insight }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const { rule, state, sentence, advice, confidence, operationName } = insight
  const isActive = state === 'open' || state === 'accepted'
  return (
    <li className={cx(cardClass, 'p-5 sm:p-6')}>
      <div className="grid gap-x-8 gap-y-3 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="grid min-w-0 content-start gap-2">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] text-ink-soft">
            <Badge tone={STATE_TONES[state]}>{INSIGHT_STATES[state]}</Badge>
            <span>{INSIGHT_RULES[rule]}</span>
            <span>{operationName}</span>
          </p>
          <h2 className="prose-width text-base font-semibold tracking-[-0.01em]">{sentence}</h2>
          <p className="prose-width text-body text-ink-soft">{advice}</p>
        </div>
        <div className="sm:text-right">
          <Figure className="block text-2xl font-semibold tracking-tight">{formatStake(insight)}</Figure>
          <p className="text-[0.8125rem] text-ink-soft">
            {insight.cents === null && insight.wh !== null && 'Prix inconnu · '}
            {`Confiance ${formatPercent(confidence, 0)}`}
          </p>
        </div>
      </div>
      <div data-print="hide" className="mt-4 flex flex-wrap gap-2">
        {state === 'open' && <AcceptButton insight={insight} />}
        {isActive && <DismissButton insight={insight} />}
        <Button
          size="small"
          variant="secondary"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Masquer le pourquoi' : 'Pourquoi\u00a0?'}
        </Button>
      </div>
      {open && <InsightDetails insight={insight} id={id} />}
    </li>
  )
}
