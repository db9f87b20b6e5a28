import type { EnedisFault } from '@voisol/contract/enedis'
import { NATURES } from '../lib/distributor-labels.ts'
import { cx } from './cx.ts'

const edges = {
  neutral: 'border-line-strong',
  info: 'border-primary',
  success: 'border-success',
  warning: 'border-warning',
  danger: 'border-danger',
}

const statusWords = ({ status }: EnedisFault) => (status === null ? 'sans réponse' : `HTTP\u00a0${status}`)

/** The code as the distributor writes it, with the status it came with. */
export const FaultCode = ({ fault }: { fault: EnedisFault }) => (
  <span className="text-[0.8125rem] text-ink-soft">
    <code className="font-medium break-all text-ink">{fault.code}</code>
    {' · '}
    <span className="whitespace-nowrap">{statusWords(fault)}</span>
    {' · '}
    <span className="whitespace-nowrap">{NATURES[fault.nature].label}</span>
  </span>
)

/** Codes of ours, whose message is our own account of what came. */
const OURS = new Set(['mismatch', 'unreadable', 'refused', 'mass-refusal'])

const FaultWords = ({ fault: { code, message, explanation } }: { fault: EnedisFault }) => {
  if (!message || message === explanation) return null
  return (
    <p className="text-[0.8125rem] break-words text-ink-soft">
      {OURS.has(code) ? message : <>Le distributeur dit&nbsp;: «&nbsp;{message}&nbsp;»</>}
    </p>
  )
}

/** A refusal or a failure of the distributor, always shown the same way: what it means, what to do, its code, its own words. */
export const FaultNote = ({ fault, className }: { fault: EnedisFault; className?: string }) => (
  <div className={cx('grid gap-1 border-l-2 pl-3 text-body', edges[NATURES[fault.nature].tone], className)}>
    <p className="font-medium">{fault.explanation}</p>
    <p className="text-ink-soft">{fault.remedy}</p>
    <p>
      <FaultCode fault={fault} />
    </p>
    <FaultWords fault={fault} />
  </div>
)
