import Check from 'lucide-react/icons/check'
import Minus from 'lucide-react/icons/minus'
import type { ComponentType } from 'react'
import { Link } from 'react-router'
import { Badge } from '../../components/badge.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { cardClass } from '../../components/card.tsx'
import { cx } from '../../components/cx.ts'
import { formatNumber } from '../../lib/format.ts'
import { isKnownPath } from '../links.ts'
import {
  type Background,
  type LinkAction,
  MarkedText,
  PageBand,
  PageSection,
  type SectionHeadingContent,
} from './section.tsx'

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

const PlanCard = ({ name, description, features, notIncluded, popular, cta, ...price }: PricingPlan) => (
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

type PlansContent = Omit<SectionHeadingContent, 'lead'> & {
  ground?: Background
  plans: PricingPlan[]
  guarantees: string[]
  /** For those who are customers already. */
  account: LinkAction[]
}

const periodOptionClass =
  'flex min-h-11 items-center rounded-control px-5 font-medium text-ink-soft has-checked:bg-white has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2'

/** Radio buttons that the style sheet reads: the prices change without script. */
const PaymentPeriodChoice = () => (
  <fieldset className="mx-auto w-fit">
    <legend className="sr-only">Période de paiement</legend>
    <div className="flex gap-1 rounded-control border border-line bg-slate-100 p-1">
      <label className={periodOptionClass}>
        <input type="radio" name="period" value="monthly" defaultChecked className="sr-only" />
        Mensuel
      </label>
      <label className={periodOptionClass}>
        <input type="radio" name="period" value="annual" className="sr-only" />
        Annuel
      </label>
    </div>
  </fieldset>
)

const AccountLinks = ({ links }: { links: LinkAction[] }) => (
  <p className="mt-6 text-center text-[0.9375rem] text-ink-soft">
    Déjà client ?{' '}
    {links
      .filter(({ href }) => isKnownPath(href))
      .map(({ label, href }, index) => (
        <span key={href}>
          {index > 0 && ' · '}
          <Link to={href} className="text-link">
            {label}
          </Link>
        </span>
      ))}
  </p>
)

export const Plans = ({ id, ground, title, plans, guarantees, account }: PlansContent) => (
  <PageBand id={id} ground={ground} className="group/plans">
    <h2 className="sr-only">{title}</h2>
    <PaymentPeriodChoice />
    <ul className="mt-12 grid gap-6 lg:grid-cols-3">
      {plans.map((plan) => (
        <PlanCard key={plan.name} {...plan} />
      ))}
    </ul>
    <ul className="mt-12 flex flex-wrap justify-center gap-x-8 gap-y-2 text-[0.9375rem] max-sm:flex-col">
      {guarantees.map((guarantee) => (
        <li key={guarantee} className="flex items-baseline gap-2.5">
          <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-local" />
          {guarantee}
        </li>
      ))}
    </ul>
    <AccountLinks links={account} />
  </PageBand>
)

type OffersContent = SectionHeadingContent & {
  ground?: Background
  items: {
    title: string
    text: string
    price: string
    per?: string
    icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
  }[]
}

/** What can be added, and for how much. */
export const Offers = ({ items, ...section }: OffersContent) => (
  <PageSection {...section}>
    <ul className="mt-10 divide-y divide-line border-line border-y">
      {items.map(({ title, text, price, per, icon: Icon }) => (
        <li key={title} className="grid items-center gap-x-6 gap-y-2 py-6 sm:grid-cols-[auto_1fr_auto]">
          <Icon aria-hidden="true" className="size-7 text-consumption max-sm:hidden" />
          <div className="prose-width">
            <h3 className="text-lg font-semibold">{title}</h3>
            <p className="mt-1 text-ink-soft text-pretty">
              <MarkedText text={text} />
            </p>
          </div>
          <p className="tabular text-xl font-semibold whitespace-nowrap sm:text-right">
            {price}
            {per && <span className="text-base font-normal text-ink-soft"> {per}</span>}
          </p>
        </li>
      ))}
    </ul>
  </PageSection>
)
