import type { Fact } from './detail-screen.tsx'

/** What a form would show to somebody who may change it. */
export const FactList = ({ facts }: { facts: Fact[] }) => (
  <dl className="grid max-w-2xl divide-y divide-line text-body">
    {facts.map(({ label, value }) => (
      <div
        key={label}
        className="grid gap-x-6 gap-y-0.5 py-2.5 first:pt-0 last:pb-0 sm:grid-cols-[14rem_minmax(0,1fr)]"
      >
        <dt className="text-ink-soft">{label}</dt>
        <dd className="min-w-0 font-medium break-words whitespace-pre-line">{value}</dd>
      </div>
    ))}
  </dl>
)
