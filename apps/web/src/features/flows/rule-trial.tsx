import type { TriedEvent } from '@voisol/contract/flow-rules'
import { dateTime, plural } from '../../lib/format.ts'
import { CodePanel } from '../../ui/code/panel.tsx'

export type Tried = { looked: number; matched: number; items: TriedEvent[] }
const SHOWN = 5

/** What the rule would have made of what happened. */
export function Trial({ result: { looked, matched, items } }: { result: Tried }) {
  const met = items.filter(({ matches }) => matches).slice(0, SHOWN)
  const missed = items.filter(({ matches }) => !matches).slice(0, SHOWN)
  return (
    <section aria-label="Essai" className="grid gap-3 rounded-card bg-page p-4 text-body [&>*]:min-w-0">
      <p role="status" className="font-medium">
        {looked === 0
          ? 'Aucun événement de cette sorte ne s’est encore produit\u00a0: la règle attendra le premier.'
          : `${plural(matched, 'événement')} sur ${looked} ${matched < 2 ? 'serait parti' : 'seraient partis'}.`}
      </p>
      {met.map(({ seq, occurredAt, payload }) => (
        <CodePanel
          key={seq}
          label={`N° ${seq}, ${dateTime(occurredAt)}`}
          code={JSON.stringify(payload, null, 2)}
          language="json"
        />
      ))}
      {missed.length > 0 && (
        <ul className="grid gap-1 text-[0.8125rem] text-ink-soft">
          {missed.map(({ seq, why }) => (
            <li key={seq}>
              N°&nbsp;{seq}&nbsp;: {why}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
