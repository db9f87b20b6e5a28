import type { SyncWindow } from '@voisol/contract/sync'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { ArchivedAnswerButton } from '../../../ui/archived-answer.tsx'
import { FaultNote } from '../../../ui/fault.tsx'

type Attempt = SyncWindow['attempts'][number]

const TIME_FORMAT = new Intl.DateTimeFormat('fr-FR', { timeZone: 'Europe/Paris', timeStyle: 'medium' })
/** Several tries may fall into one minute. */
const formatExactTime = (instant: string) => `${formatDate(instant)} à\u00a0${TIME_FORMAT.format(new Date(instant))}`
const formatOutcome = ({ status, code }: Attempt) =>
  [status === null ? 'Sans réponse' : `HTTP\u00a0${status}`, code].filter(Boolean).join(' · ')

const AttemptRow = ({ attempt }: { attempt: Attempt }) => (
  <li className="grid gap-x-6 gap-y-1 py-2.5 text-[0.8125rem] sm:grid-cols-[10rem_1fr_auto] sm:items-start">
    <span className="tabular whitespace-nowrap text-ink-soft">{formatExactTime(attempt.at)}</span>
    <div className="grid min-w-0 gap-0.5">
      <code className="break-all">{attempt.request}</code>
      <p className="text-ink-soft">
        <span className="font-medium text-ink">{formatOutcome(attempt)}</span>
        {` · ${formatNumber(attempt.milliseconds)}\u00a0ms`}
        {attempt.requestId && (
          <>
            {' · référence '}
            <code className="break-all">{attempt.requestId}</code>
          </>
        )}
      </p>
    </div>
    {attempt.sha256 && <ArchivedAnswerButton sha256={attempt.sha256} />}
  </li>
)

/** Each try of a call, with what is needed to speak of it with the distributor. */
export const CallAttempts = ({ window: { attempts, fault } }: { window: SyncWindow }) => (
  <div className="grid gap-3">
    {fault && <FaultNote fault={fault} className="prose-width" />}
    {attempts.length === 0 ? (
      <p className="text-body text-ink-soft">Aucun essai pour l’instant.</p>
    ) : (
      <ol className="divide-y divide-line border-y border-line">
        {attempts.map((attempt) => (
          <AttemptRow key={`${attempt.at}-${attempt.requestId}`} attempt={attempt} />
        ))}
      </ol>
    )}
  </div>
)
