import type { SyncWindow } from '@voisol/contract/sync'
import { date, number } from '../../../lib/format.ts'
import { ArchivedAnswer } from '../../../ui/archived-answer.tsx'
import { FaultNote } from '../../../ui/fault.tsx'

type Attempt = SyncWindow['attempts'][number]

const timeFormat = new Intl.DateTimeFormat('fr-FR', { timeZone: 'Europe/Paris', timeStyle: 'medium' })
/** Several tries may fall into one minute. */
const exact = (instant: string) => `${date(instant)} à\u00a0${timeFormat.format(new Date(instant))}`
const outcome = ({ status, code }: Attempt) =>
  [status === null ? 'Sans réponse' : `HTTP\u00a0${status}`, code].filter(Boolean).join(' · ')

const Line = ({ attempt }: { attempt: Attempt }) => (
  <li className="grid gap-x-6 gap-y-1 py-2.5 text-[0.8125rem] sm:grid-cols-[10rem_1fr_auto] sm:items-start">
    <span className="tabular whitespace-nowrap text-ink-soft">{exact(attempt.at)}</span>
    <div className="grid min-w-0 gap-0.5">
      <code className="break-all">{attempt.request}</code>
      <p className="text-ink-soft">
        <span className="font-medium text-ink">{outcome(attempt)}</span>
        {` · ${number(attempt.milliseconds)}\u00a0ms`}
        {attempt.requestId && (
          <>
            {' · référence '}
            <code className="break-all">{attempt.requestId}</code>
          </>
        )}
      </p>
    </div>
    {attempt.sha256 && <ArchivedAnswer sha256={attempt.sha256} />}
  </li>
)

/** Each try of a call, with what is needed to speak of it with the distributor. */
export const Attempts = ({ window: { attempts, fault } }: { window: SyncWindow }) => (
  <div className="grid gap-3">
    {fault && <FaultNote fault={fault} className="prose-width" />}
    {attempts.length === 0 ? (
      <p className="text-body text-ink-soft">Aucun essai pour l’instant.</p>
    ) : (
      <ol className="divide-y divide-line border-y border-line">
        {attempts.map((attempt) => (
          <Line key={`${attempt.at}-${attempt.requestId}`} attempt={attempt} />
        ))}
      </ol>
    )}
  </div>
)
