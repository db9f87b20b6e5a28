import { useQueryClient } from '@tanstack/react-query'
import { participants } from '@voisol/contract/participants'
import type { ReactNode } from 'react'

type SectionProps = { title: string; actions?: ReactNode; children: ReactNode }

export const Section = ({ title, actions, children }: SectionProps) => (
  <section className="py-5">
    <header className="mb-3 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <h3 className="text-base font-semibold tracking-[-0.01em]">{title}</h3>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
    {children}
  </section>
)

/** Facts in two columns; what is not known says so. */
export const Facts = ({ facts }: { facts: { label: string; value: ReactNode }[] }) => (
  <dl className="grid gap-x-6 gap-y-3 text-body sm:grid-cols-2">
    {facts.map(({ label, value }) => (
      <div key={label} className="min-w-0">
        <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
        <dd className="break-words">{value || <span className="text-ink-muted">Non renseigné</span>}</dd>
      </div>
    ))}
  </dl>
)

/** The sheet may show an older state than the server's: opened again, a form starts from the present one. */
export function useRefreshOnError() {
  const client = useQueryClient()
  return (error: unknown) => {
    void client.invalidateQueries({ queryKey: [participants.get.path] })
    throw error
  }
}
