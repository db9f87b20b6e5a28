import { Link } from 'react-router'
import { isKnownPath } from '../links.ts'
import type { LinkAction } from './actions.tsx'
import { PlanCard, type PricingPlan } from './plan-card.tsx'
import { type Background, PageBand, type SectionHeadingContent } from './section.tsx'

export type PlansContent = Omit<SectionHeadingContent, 'lead'> & {
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
