import ArrowRight from 'lucide-react/icons/arrow-right'
import { Link } from 'react-router'
import { ButtonLink } from '../../ui/button.tsx'
import { exists } from '../links.ts'

export type Action = { label: string; href: string }

/** The first one weighs most; those that lead nowhere yet are left out. */
export function Actions({ actions }: { actions: readonly Action[] }) {
  const shown = actions.filter(({ href }) => exists(href))
  return (
    <div className="flex flex-wrap gap-3 max-sm:flex-col">
      {shown.map(({ label, href }, index) => (
        <ButtonLink key={href} to={href} size="large" variant={index === 0 ? 'primary' : 'secondary'}>
          {label}
        </ButtonLink>
      ))}
    </div>
  )
}

/** A quiet link at the end of a card; nothing where its page does not exist yet. */
export function More({ label, href }: Action) {
  if (!exists(href)) return null
  return (
    <Link to={href} className="inline-flex min-h-8 items-center gap-1.5 font-medium text-primary-ink hover:underline">
      {label}
      <ArrowRight aria-hidden="true" className="size-4" />
    </Link>
  )
}
