import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useLinkAccess } from '../lib/link-access.ts'

type PageHeaderProps = { title: ReactNode; description?: ReactNode; actions?: ReactNode; crumbs?: Crumb[] }

export const PageHeader = ({ title, description, actions, crumbs }: PageHeaderProps) => (
  <header className="mb-6 grid gap-2">
    {crumbs && <Breadcrumbs crumbs={crumbs} />}
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="text-2xl font-semibold">{title}</h1>
        {description && <p className="prose-width mt-1 text-body text-ink-soft">{description}</p>}
      </div>
      {actions && (
        <div data-print="hide" className="flex flex-wrap gap-2">
          {actions}
        </div>
      )}
    </div>
  </header>
)

type Crumb = { label: string; to?: string }

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
