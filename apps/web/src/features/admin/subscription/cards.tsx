import { useQuery } from '@tanstack/react-query'
import {
  ANNUAL_DISCOUNT,
  type OpenPlan,
  PLAN_NAMES,
  PLANS,
  type PlanName,
  type PlanPeriod,
} from '@voisol/contract/plan-prices'
import {
  subscription as endpoints,
  type PlanQuote,
  type Subscription,
  subscription,
} from '@voisol/contract/subscription'
import { usage } from '@voisol/contract/usage'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card, cardClass } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { Dialog, DialogClose } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Can } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDate, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { refreshUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { PERIOD_SUFFIXES } from './labels.ts'

const PLAN_AUDIENCES: Record<PlanName, string> = {
  starter: 'Pour une copropriété, un site ou une première opération.',
  professional: 'Pour un syndic, une collectivité ou un gestionnaire de plusieurs opérations.',
  enterprise: 'Pour un bailleur, un opérateur ou un territoire aux besoins particuliers.',
}

const choiceClass =
  'flex min-h-9 items-center gap-2 rounded-control px-4 text-body font-medium text-ink-soft has-checked:bg-card has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2'

const PeriodChoice = ({ value, onChange }: { value: PlanPeriod; onChange: (period: PlanPeriod) => void }) => (
  <fieldset className="w-fit">
    <legend className="sr-only">Période de paiement</legend>
    <div className="flex gap-1 rounded-control border border-line bg-slate-100 p-1">
      {(['month', 'year'] as const).map((one) => (
        <label key={one} className={choiceClass}>
          <input
            type="radio"
            name="period"
            value={one}
            checked={value === one}
            onChange={() => onChange(one)}
            className="sr-only"
          />
          {one === 'month' ? 'Mensuel' : `Annuel, -${ANNUAL_DISCOUNT}\u00a0%`}
        </label>
      ))}
    </div>
  </fieldset>
)

function PlanPrice({ plan, period }: { plan: PlanName; period: PlanPeriod }) {
  const price = PLANS[plan][period]
  if (price === null) return <p className="text-2xl font-semibold">Sur devis</p>
  const { month } = PLANS[plan]
  return (
    <p>
      <span className="tabular text-2xl font-semibold tracking-tight">{formatMoney(price).replace(',00', '')}</span>
      <span className="ml-1.5 text-body text-ink-soft">HT {PERIOD_SUFFIXES[period]}</span>
      {period === 'year' && month !== null && (
        <span className="block text-[0.8125rem] text-ink-soft">
          au lieu de <s className="tabular">{formatMoney(month * 12).replace(',00', '')}</s>
        </span>
      )}
    </p>
  )
}

type CurrentPlan = Pick<Subscription, 'plan' | 'period' | 'state' | 'next' | 'version'>
type CardProps = { plan: PlanName; period: PlanPeriod; held: CurrentPlan; onChoose: () => void }

function PlanCard({ plan, period, held: currentPlan, onChoose }: CardProps) {
  const { name, points } = PLANS[plan]
  const isRunning = currentPlan.plan === plan && currentPlan.state !== 'ended'
  const isCurrent = isRunning && (currentPlan.period === period || plan === 'enterprise')
  const isPlanned = currentPlan.next?.plan === plan && currentPlan.next.period === period
  return (
    <li className={cx(cardClass, 'flex flex-col gap-3 p-5', isCurrent && 'border-primary ring-1 ring-primary')}>
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-2">
        <h3 className="text-lg font-semibold">{name}</h3>
        {isCurrent ? (
          <Badge tone="info">Votre formule</Badge>
        ) : isPlanned ? (
          <Badge tone="warning">Prévue</Badge>
        ) : (
          plan === 'professional' && <Badge tone="neutral">Le plus populaire</Badge>
        )}
      </div>
      <p className="text-body text-ink-soft">{PLAN_AUDIENCES[plan]}</p>
      <PlanPrice plan={plan} period={period} />
      <p className="text-body font-medium">
        {points === null ? 'Points de mesure illimités' : `Jusqu’à ${points} points de mesure`}
      </p>
      <div className="mt-auto pt-2">
        {plan === 'enterprise' ? (
          !isCurrent && (
            <ButtonLink to="/contact" variant="secondary">
              Nous contacter
            </ButtonLink>
          )
        ) : (
          <Can call={endpoints.choose}>
            {!isCurrent && !isPlanned && currentPlan.plan !== 'enterprise' && (
              <Button variant={plan === 'professional' ? 'primary' : 'secondary'} onClick={onChoose}>
                {isRunning ? `Passer en ${period === 'year' ? 'annuel' : 'mensuel'}` : `Choisir ${name}`}
              </Button>
            )}
          </Can>
        )}
      </div>
    </li>
  )
}

/** The three plans, by month or by year; what one costs is shown before it is taken. */
export function PlanCards({ held: currentPlan }: { held: CurrentPlan }) {
  const [period, setPeriod] = useState<PlanPeriod>(currentPlan.period)
  const [chosenPlan, setChosenPlan] = useState<'starter' | 'professional'>()
  return (
    <Card
      title="Les formules"
      description={
        'Prix hors taxes. Aucun frais d’installation\u00a0; satisfait ou remboursé pendant 30 jours, toutes formules.'
      }
      actions={<PeriodChoice value={period} onChange={setPeriod} />}
    >
      <ul className="grid gap-4 lg:grid-cols-3">
        {PLAN_NAMES.map((plan) => (
          <PlanCard
            key={plan}
            plan={plan}
            period={period}
            held={currentPlan}
            onChoose={() => plan !== 'enterprise' && setChosenPlan(plan)}
          />
        ))}
      </ul>
      {chosenPlan && (
        <PlanQuoteDialog
          wanted={{ plan: chosenPlan, period }}
          version={currentPlan.version}
          onClose={() => setChosenPlan(undefined)}
        />
      )}
    </Card>
  )
}

type PlanChoice = { plan: OpenPlan; period: PlanPeriod }

const TotalRow = ({ label, cents, strong = false }: { label: string; cents: number; strong?: boolean }) => (
  <div className={strong ? 'flex justify-between gap-4 font-semibold' : 'flex justify-between gap-4'}>
    <dt>{label}</dt>
    <dd className="tabular whitespace-nowrap">{formatMoney(cents)}</dd>
  </div>
)

/** The lines of the invoice to come, as it will print them. */
const QuoteLines = ({ quote }: { quote: PlanQuote }) => (
  <>
    <ul className="divide-y divide-line border-line border-y text-body">
      {quote.lines.map(({ label, from, to, net }) => (
        <li key={`${label} ${from}`} className="flex justify-between gap-4 py-2.5">
          <span>
            {label}
            <span className="block text-[0.8125rem] text-ink-soft">{`du ${formatDate(from)} au ${formatDate(to)} exclu`}</span>
          </span>
          <span className="tabular whitespace-nowrap">{formatMoney(net)}</span>
        </li>
      ))}
    </ul>
    <dl className="mt-3 ml-auto grid max-w-64 gap-1 text-body">
      <TotalRow label="Total HT" cents={quote.net} />
      <TotalRow label="TVA" cents={quote.tax} />
      <TotalRow label="Total TTC" cents={quote.gross} strong />
    </dl>
  </>
)

function describeTiming({ now, on, tooMany }: PlanQuote, { plan }: PlanChoice) {
  const { name, points } = PLANS[plan]
  if (tooMany > 0 && now)
    return `${name} comprend ${points} points\u00a0: ${formatCount(tooMany, 'point utilisé est', 'points utilisés sont')} de trop. Faites-les d’abord sortir.`
  if (now) return 'Le changement vaut aujourd’hui\u00a0; la facture est émise à la confirmation.'
  const warning =
    tooMany > 0
      ? ` D’ici là, ${formatCount(tooMany, 'point doit', 'points doivent')} sortir\u00a0; sinon votre formule sera reconduite.`
      : ''
  return `Le changement vaudra le ${formatDate(on)}, à la fin de ce qui est payé. Rien n’est facturé aujourd’hui.${warning}`
}

/** What a choice costs, shown by the function that bills it, then confirmed. */
function PlanQuoteDialog({
  wanted: choice,
  version,
  onClose,
}: {
  wanted: PlanChoice
  version: Subscription['version']
  onClose: () => void
}) {
  const {
    data: quote,
    error,
    refetch,
  } = useQuery({ ...query(subscription.quote, { query: choice }), staleTime: 0, gcTime: 0 })
  const choose = useAction(subscription.choose, [subscription.get, subscription.invoices, usage.get])
  const confirm = async () => {
    if (!quote) return
    try {
      await choose.run({ body: { ...choice, net: quote.net, version } })
      await refreshUser()
      toast({
        title: quote.now ? `Formule ${PLANS[choice.plan].name} en cours` : 'Changement prévu',
        variant: 'success',
      })
      onClose()
    } catch (failed) {
      toast({ title: 'Formule inchangée', description: explainError(failed), variant: 'destructive' })
      await refetch()
    }
  }
  const blocked = quote?.now && quote.tooMany > 0
  return (
    <Dialog
      title={`Passer à ${PLANS[choice.plan].name}`}
      {...(quote && { description: describeTiming(quote, choice) })}
      open
      onOpenChange={(open) => open || onClose()}
      actions={
        <>
          <DialogClose>
            <Button variant="secondary">Annuler</Button>
          </DialogClose>
          {quote && !blocked && (
            <Button loading={choose.isPending} onClick={confirm}>
              {quote.now ? `Confirmer et recevoir la facture de ${formatMoney(quote.gross)}` : 'Prévoir ce changement'}
            </Button>
          )}
        </>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : quote ? (
        <QuoteLines quote={quote} />
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Dialog>
  )
}
