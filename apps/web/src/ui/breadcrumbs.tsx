import ChevronRight from 'lucide-react/icons/chevron-right'
import { Link } from 'react-router'

export type Crumb = { label: string; to?: string }

const HERE = { 'aria-current': 'page', className: 'text-ink' } as const

/** The last crumb is the present page; another one without a link is a screen that its reader may not open. */
export const Breadcrumbs = ({ crumbs }: { crumbs: Crumb[] }) => (
  <nav aria-label="Fil d’Ariane">
    <ol className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5 text-[0.8125rem] text-ink-soft">
      {crumbs.map((crumb, index) => (
        <li key={crumb.label} className="flex min-h-6 items-center gap-1.5">
          {index > 0 && <ChevronRight aria-hidden="true" className="size-3.5 text-ink-muted" />}
          {crumb.to ? (
            <Link to={crumb.to} className="inline-flex min-h-6 items-center rounded-sm hover:text-ink hover:underline">
              {crumb.label}
            </Link>
          ) : (
            <span {...(index === crumbs.length - 1 && HERE)}>{crumb.label}</span>
          )}
        </li>
      ))}
    </ol>
  </nav>
)
