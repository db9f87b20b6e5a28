import type { PartyIssue } from '@voisol/contract/sellers'
import CircleAlert from 'lucide-react/icons/circle-alert'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { cx } from './cx.ts'

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
