import Check from 'lucide-react/icons/check'
import Minus from 'lucide-react/icons/minus'
import { formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { isKnownPath } from '../links.ts'
import type { LinkAction } from './actions.tsx'
import { MarkedText } from './words.tsx'

export type PricingPlan = {
  name: string
  description: string
  /** Euros before tax; null is agreed with the customer. */
  monthlyPrice: number | null
  annualPrice: number | null
  features: string[]
  notIncluded: string[]
  popular: boolean
  cta: LinkAction
}

const PlanAmount = ({ euros, per }: { euros: number; per: string }) => (
  <p className="flex items-baseline gap-1.5">
    <span className="tabular text-4xl font-semibold tracking-tight">{`${formatNumber(euros)}\u00a0€`}</span>
    <span className="text-ink-soft">HT {per}</span>
  </p>
)

/** Both are on the page; the choice of the period shows one. */
function PlanPrice({ monthlyPrice, annualPrice }: Pick<PricingPlan, 'monthlyPrice' | 'annualPrice'>) {
  if (monthlyPrice === null || annualPrice === null)
    return (
      <>
        <p className="text-4xl font-semibold tracking-tight">Sur devis</p>
        <p className="mt-2 min-h-7 text-sm text-ink-soft">Selon vos points, vos opérations et vos outils</p>
      </>
    )
  return (
    <>
      <div data-period="monthly" className="group-has-[[value=annual]:checked]/plans:hidden">
        <PlanAmount euros={monthlyPrice} per="par mois" />
        <p className="mt-2 min-h-7 text-sm text-ink-soft">Facturé chaque mois</p>
      </div>
      <div data-period="annual" className="hidden group-has-[[value=annual]:checked]/plans:block">
        <PlanAmount euros={annualPrice} per="par an" />
        <p className="mt-2 flex min-h-7 flex-wrap items-center gap-2.5 text-sm text-ink-soft">
          <Badge tone="success">{'-10\u00a0%'}</Badge>
          <span className="sr-only">Au lieu de</span>
          <s className="tabular">{`${formatNumber(monthlyPrice * 12)}\u00a0€`}</s>
        </p>
      </div>
    </>
  )
}

const PlanFeature = ({ text, included }: { text: string; included: boolean }) => {
  const Icon = included ? Check : Minus
  return (
    <li className={cx('flex gap-2.5', !included && 'text-ink-soft')}>
      <Icon aria-hidden="true" className={cx('mt-1 size-4', included ? 'text-success' : 'text-control')} />
      <span>
        {!included && <span className="sr-only">Non compris : </span>}
        <MarkedText text={text} />
      </span>
    </li>
  )
}

export const PlanCard = ({ name, description, features, notIncluded, popular, cta, ...price }: PricingPlan) => (
  <li
    className={cx(
      cardClass,
      'relative flex flex-col p-6 lg:p-8',
      popular && 'border-[#f2b544] ring-1 ring-[#f2b544] lg:-my-3 lg:py-11',
    )}
  >
    <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
      <h3 className="text-2xl font-semibold">{name}</h3>
      {popular && <Badge tone="warning">Le plus populaire</Badge>}
    </div>
    <p className="mt-2 mb-6 text-ink-soft text-pretty lg:min-h-12">{description}</p>
    <PlanPrice {...price} />
    {isKnownPath(cta.href) && (
      <ButtonLink to={cta.href} size="large" variant={popular ? 'primary' : 'secondary'} className="mt-6 w-full">
        {cta.label}
      </ButtonLink>
    )}
    <ul className="mt-8 grid gap-2.5 border-line border-t pt-6 text-[0.9375rem]">
      {features.map((text) => (
        <PlanFeature key={text} text={text} included />
      ))}
      {notIncluded.map((text) => (
        <PlanFeature key={text} text={text} included={false} />
      ))}
    </ul>
  </li>
)
