import type { RuleTestEvent } from '@voisol/contract/flow-rules'
import { formatCount, formatDateTime } from '../../lib/format.ts'
import { CodePanel } from '../../ui/code/panel.tsx'

export type RuleDryRun = { looked: number; matched: number; items: RuleTestEvent[] }
const MAX_SHOWN_EVENTS = 5

/** What the rule would have made of what happened. */
export function RuleDryRunResult({ result: { looked, matched, items } }: { result: RuleDryRun }) {
  const matchingEvents = items.filter(({ matches }) => matches).slice(0, MAX_SHOWN_EVENTS)
  const otherEvents = items.filter(({ matches }) => !matches).slice(0, MAX_SHOWN_EVENTS)
  return (
    <section aria-label="Essai" className="grid gap-3 rounded-card bg-page p-4 text-body [&>*]:min-w-0">
      <p role="status" className="font-medium">
        {looked === 0
          ? 'Aucun événement de cette sorte ne s’est encore produit\u00a0: la règle attendra le premier.'
          : `${formatCount(matched, 'événement')} sur ${looked} ${matched < 2 ? 'serait parti' : 'seraient partis'}.`}
      </p>
      {matchingEvents.map(({ seq, occurredAt, payload }) => (
        <CodePanel
          key={seq}
          label={`N° ${seq}, ${formatDateTime(occurredAt)}`}
          code={JSON.stringify(payload, null, 2)}
          language="json"
        />
      ))}
      {otherEvents.length > 0 && (
        <ul className="grid gap-1 text-[0.8125rem] text-ink-soft">
          {otherEvents.map(({ seq, why }) => (
            <li key={seq}>
              N°&nbsp;{seq}&nbsp;: {why}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
