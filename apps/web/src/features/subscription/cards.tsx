import { ANNUAL_DISCOUNT, PLAN_NAMES, PLANS, type PlanName, type PlanPeriod } from '@voisol/contract/plan-prices'
import { subscription as endpoints, type Subscription } from '@voisol/contract/subscription'
import { useState } from 'react'
import { Can } from '../../lib/can.tsx'
import { formatMoney } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card, cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { PlanQuoteDialog } from './quote.tsx'
import { PERIOD_SUFFIXES } from './words.ts'

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
