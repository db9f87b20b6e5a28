import type { EnedisTrace } from '@voisol/contract/enedis'
import { formatTime } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { cx } from '../../../ui/cx.ts'
import { formatHttpStatus, formatMilliseconds, getStatusTone } from '../trace/trace-view.tsx'

export type RecordedCall = { id: number; at: number; label: string; connection: string; trace: EnedisTrace }

type CallHistoryProps = { made: RecordedCall[]; shown: number | undefined; onShow: (id: number) => void }

/** The calls of this visit, the last one first; each can be looked at again. */
export const CallHistory = ({ made, shown, onShow }: CallHistoryProps) => (
  <Card title="Appels de cette visite" description="La liste s’efface quand vous quittez la page.">
    <ol className="-mx-2 grid gap-1">
      {made.map((one) => (
        <li key={one.id}>
          <button
            type="button"
            aria-current={one.id === shown ? 'true' : undefined}
            onClick={() => onShow(one.id)}
            className={cx(
              'flex min-h-11 w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-control px-2 py-1.5 text-left text-body',
              one.id === shown ? 'bg-primary-soft' : 'hover:bg-page',
            )}
          >
            <span className="tabular text-ink-soft">{formatTime(one.at)}</span>
            <span className="min-w-0 grow font-medium">{one.label}</span>
            <span className="text-[0.8125rem] text-ink-soft">{one.connection}</span>
            <Badge tone={getStatusTone(one.trace.status)}>{formatHttpStatus(one.trace.status)}</Badge>
            <span className="tabular text-[0.8125rem] text-ink-soft">{formatMilliseconds(one.trace.milliseconds)}</span>
          </button>
        </li>
      ))}
    </ol>
  </Card>
)
