import type { ReactNode } from 'react'
import { Breadcrumbs, type Crumb } from './breadcrumbs.tsx'

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
