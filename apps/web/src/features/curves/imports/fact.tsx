import type { ReactNode } from 'react'

/** A thing found out about a file; `label` may be that of the control which corrects it. */
export const ImportFact = ({ label, hint, children }: { label: ReactNode; hint?: ReactNode; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="flex min-h-6 flex-wrap items-center gap-x-2 text-[0.8125rem] text-ink-soft">
      {label}
      {hint}
    </dt>
    <dd className="mt-1 text-body font-medium">{children}</dd>
  </div>
)
