import type { EnedisFault } from '@voisol/contract/enedis'
import { FAULT_NATURE_LABELS } from '../lib/distributor-labels.ts'
import { cx } from './cx.ts'

const edgeClasses = {
  neutral: 'border-line-strong',
  info: 'border-primary',
  success: 'border-success',
  warning: 'border-warning',
  danger: 'border-danger',
}

const formatHttpStatus = ({ status }: EnedisFault) => (status === null ? 'sans réponse' : `HTTP\u00a0${status}`)

/** The code as the distributor writes it, with the status it came with. */
const FaultCode = ({ fault }: { fault: EnedisFault }) => (
  <span className="text-[0.8125rem] text-ink-soft">
    <code className="font-medium break-all text-ink">{fault.code}</code>
    {' · '}
    <span className="whitespace-nowrap">{formatHttpStatus(fault)}</span>
    {' · '}
    <span className="whitespace-nowrap">{FAULT_NATURE_LABELS[fault.nature].label}</span>
  </span>
)

/** Codes of ours, whose message is our own account of what came. */
const OWN_FAULT_CODES = new Set(['mismatch', 'unreadable', 'refused', 'mass-refusal'])

const FaultMessage = ({ fault: { code, message, explanation } }: { fault: EnedisFault }) => {
  if (!message || message === explanation) return null
  return (
    <p className="text-[0.8125rem] break-words text-ink-soft">
      {OWN_FAULT_CODES.has(code) ? message : <>Le distributeur dit&nbsp;: «&nbsp;{message}&nbsp;»</>}
    </p>
  )
}

/** A refusal or a failure of the distributor, always shown the same way: what it means, what to do, its code, its own words. */
export const FaultNote = ({ fault, className }: { fault: EnedisFault; className?: string }) => (
  <div
    className={cx(
      'grid gap-1 border-l-2 pl-3 text-body',
      edgeClasses[FAULT_NATURE_LABELS[fault.nature].tone],
      className,
    )}
  >
    <p className="font-medium">{fault.explanation}</p>
    <p className="text-ink-soft">{fault.remedy}</p>
    <p>
      <FaultCode fault={fault} />
    </p>
    <FaultMessage fault={fault} />
  </div>
)
