import type { ReactNode } from 'react'

export const AuthHeading = ({ title, children }: { title: string; children?: ReactNode }) => (
  <header>
    <h1 className="text-3xl font-semibold">{title}</h1>
    {children && <p className="mt-2 text-ink-soft">{children}</p>}
  </header>
)
