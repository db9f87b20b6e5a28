import type { ReactNode } from 'react'

type PortalPageProps = { title: string; description: ReactNode; actions?: ReactNode; children: ReactNode }

export const PortalPage = ({ title, description, actions, children }: PortalPageProps) => (
  <div className="grid gap-6 [&>*]:min-w-0">
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="text-3xl font-semibold">{title}</h1>
        <p className="prose-width mt-2 text-lg text-ink-soft">{description}</p>
      </div>
      {actions}
    </header>
    {children}
  </div>
)
