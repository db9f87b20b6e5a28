import Check from 'lucide-react/icons/check'
import { type Action, Actions } from './actions.tsx'

export type CallContent = { kind: 'call'; title: string; text: string; actions: Action[]; claims?: string[] }

/** What to do next. */
export const Call = ({ title, text, actions, claims = [] }: CallContent) => (
  <section className="px-4 py-16 sm:px-6 lg:py-28">
    <div className="mx-auto grid max-w-[1200px] gap-8 rounded-card border border-[#fbd38a] bg-[#fffaf0] px-6 py-12 sm:px-12 lg:grid-cols-[1fr_auto] lg:items-center lg:py-16">
      <div className="max-w-2xl">
        <h2 className="text-3xl font-semibold leading-tight">{title}</h2>
        <p className="mt-3 text-lg leading-relaxed text-ink-soft text-pretty">{text}</p>
        {claims.length > 0 && (
          <ul className="mt-6 flex flex-wrap gap-x-6 gap-y-2 text-[0.9375rem]">
            {claims.map((claim) => (
              <li key={claim} className="flex items-center gap-2">
                <Check aria-hidden="true" className="size-4 text-success" />
                {claim}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Actions actions={actions} />
    </div>
  </section>
)
