import ArrowRight from 'lucide-react/icons/arrow-right'
import { Link } from 'react-router'
import { ButtonLink } from '../../ui/button.tsx'
import { BookingButton } from '../booking/open.tsx'
import { isKnownPath } from '../links.ts'
import { SimulatorButton } from '../simulator/open.tsx'

export type LinkAction = { label: string; href: string }
export type OpenAction = { label: string; opens: 'booking' | 'simulator' }
export type BlockAction = LinkAction | OpenAction

type ActionStyle = { variant: 'primary' | 'secondary' }

function ActionButton({ variant, ...action }: BlockAction & ActionStyle) {
  if ('href' in action)
    return (
      <ButtonLink to={action.href} size="large" variant={variant}>
        {action.label}
      </ButtonLink>
    )
  const Opener = action.opens === 'booking' ? BookingButton : SimulatorButton
  return <Opener label={action.label} variant={variant} />
}

/** The first one weighs most; those that lead nowhere yet are left out. */
export function ActionButtons({ actions }: { actions: readonly BlockAction[] }) {
  const shown = actions.filter((action) => 'opens' in action || isKnownPath(action.href))
  return (
    <div className="flex flex-wrap gap-3 max-sm:flex-col">
      {shown.map((action, index) => (
        <ActionButton key={action.label} {...action} variant={index === 0 ? 'primary' : 'secondary'} />
      ))}
    </div>
  )
}

/** A quiet link at the end of a card; nothing where its page does not exist yet. */
export function MoreLink({ label, href }: LinkAction) {
  if (!isKnownPath(href)) return null
  return (
    <Link to={href} className="inline-flex min-h-8 items-center gap-1.5 font-medium text-primary-ink hover:underline">
      {label}
      <ArrowRight aria-hidden="true" className="size-4" />
    </Link>
  )
}
