import type { PartyIssue } from '@voisol/contract/sellers'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { cx } from './cx.ts'

type CheckFinding = { severity: 'refused' | 'reason' | 'warning'; message: string; rule: string }

const severityStyles = {
  refused: { Icon: CircleAlert, tone: 'text-danger', words: 'Refusé' },
  reason: { Icon: TriangleAlert, tone: 'text-warning', words: 'Motif demandé' },
  warning: { Icon: TriangleAlert, tone: 'text-warning', words: 'À vérifier' },
}

/** What the rules say, each with the text it comes from; nothing to say is said too. */
export const CheckFindingList = ({ findings, fine }: { findings: CheckFinding[]; fine: string }) =>
  findings.length === 0 ? (
    <p className="flex items-start gap-2 text-body">
      <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success" />
      {fine}
    </p>
  ) : (
    <ul className="grid gap-3">
      {findings.map(({ severity, message, rule }) => {
        const { Icon, tone, words } = severityStyles[severity]
        return (
          <li key={message} className="flex items-start gap-2 text-body">
            <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${tone}`} />
            <span>
              <span className={`font-medium ${tone}`}>{words}&nbsp;: </span>
              {message}
              <span className="block text-[0.8125rem] text-ink-soft">{rule}</span>
            </span>
          </li>
        )
      })}
    </ul>
  )

/** What stands in the way of an invoice, then what only deserves a look. */
export function PartyIssues({ issues }: { issues: PartyIssue[] }) {
  if (issues.length === 0) return null
  const sorted = issues.toSorted((a, b) => Number(a.level === 'warning') - Number(b.level === 'warning'))
  return (
    <ul aria-label="À compléter" className="grid gap-1.5 text-body">
      {sorted.map(({ code, level, sentence }) => {
        const Icon = level === 'error' ? CircleAlert : TriangleAlert
        return (
          <li key={code} className={cx('flex items-start gap-2', level === 'error' ? 'text-danger' : 'text-warning')}>
            <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            {sentence}
          </li>
        )
      })}
    </ul>
  )
}
