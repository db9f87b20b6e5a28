import ChevronRight from 'lucide-react/icons/chevron-right'
import { Link } from 'react-router'
import { useLinkAccess } from '../lib/doors.ts'

export type Crumb = { label: string; to?: string }

const CURRENT_CRUMB_PROPS = { 'aria-current': 'page', className: 'block max-w-80 truncate text-ink' } as const

/** The last crumb is the present page; another one without a link is a screen that its reader may not open. */
export function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
  const { carry } = useLinkAccess()
  return (
    <nav aria-label="Fil d’Ariane">
      <ol className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5 text-[0.8125rem] text-ink-soft">
        {crumbs.map((crumb, index) => (
          <li key={crumb.label} className="flex min-h-6 min-w-0 items-center gap-1.5">
            {index > 0 && <ChevronRight aria-hidden="true" className="size-3.5 text-ink-muted" />}
            {crumb.to ? (
              <Link
                to={carry(crumb.to)}
                className="block min-h-6 max-w-64 truncate rounded-sm leading-6 hover:text-ink hover:underline"
              >
                {crumb.label}
              </Link>
            ) : (
              <span {...(index === crumbs.length - 1 && CURRENT_CRUMB_PROPS)}>{crumb.label}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
