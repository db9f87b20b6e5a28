import type { EnedisTrace } from '@voisol/contract/enedis'
import type { Tone } from '../../../../components/badge.tsx'
import { Badge } from '../../../../components/badge.tsx'
import { FaultNote } from '../../../../components/distributor-fault.tsx'
import { formatCount, formatNumber } from '../../../../lib/format.ts'
import { CodeBlock } from './code-block.tsx'

export const getStatusTone = (status: number | null): Tone =>
  status === null || status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'success'
export const formatHttpStatus = (status: number | null) => (status === null ? 'Sans réponse' : `HTTP\u00a0${status}`)
export const formatMilliseconds = (milliseconds: number) => `${formatNumber(Math.round(milliseconds))}\u00a0ms`

const ResponseHeaders = ({ headers }: { headers: EnedisTrace['headers'] }) => {
  const lines = Object.entries(headers)
  if (lines.length === 0) return null
  return (
    <details>
      <summary className="min-h-6 text-[0.8125rem] font-medium text-primary-ink">
        {formatCount(lines.length, 'en-tête')} de la réponse
      </summary>
      <dl className="mt-2 grid gap-x-6 gap-y-1 text-[0.8125rem] sm:grid-cols-[max-content_minmax(0,1fr)]">
        {lines.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-soft">
              <code>{name}</code>
            </dt>
            <dd className="mb-1 min-w-0 break-all sm:mb-0">
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

type TraceViewProps = { trace: EnedisTrace; file: string; label: string /** Beside something long. */; tall?: boolean }

/** One exchange with the distributor, as it was: what was asked, how it ended, and what came back. */
export const TraceView = ({ trace, file, label, tall }: TraceViewProps) => (
  <div className="grid gap-4 [&>*]:min-w-0">
    <div className="grid gap-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-body">
        <Badge tone={getStatusTone(trace.status)}>{formatHttpStatus(trace.status)}</Badge>
        <span className="tabular text-ink-soft">en {formatMilliseconds(trace.milliseconds)}</span>
      </p>
      <p className="text-[0.8125rem] break-all">
        <code>{trace.request}</code>
      </p>
    </div>
    {trace.fault && <FaultNote fault={trace.fault} />}
    <ResponseHeaders headers={trace.headers} />
    {trace.body === '' && trace.fault === null && trace.request.endsWith('/token') ? (
      <p className="text-body text-ink-soft">Le jeton reçu est un secret&nbsp;: il n’est ni montré ni gardé.</p>
    ) : (
      <CodeBlock label={label} body={trace.body} file={file} className={tall ? 'max-h-[44rem]' : 'max-h-96'} />
    )}
  </div>
)
