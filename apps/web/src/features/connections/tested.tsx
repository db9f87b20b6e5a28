import type { ConnectionTest } from '@voisol/contract/connections'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'

/** What a test has found, in its own sentence, and what remains to be set right at the other end. */
export const ConnectionTestResult = ({ tested: { ok, message, facts, hostKey } }: { tested: ConnectionTest }) => (
  <div
    role="status"
    className={cx(
      'grid gap-3 rounded-card border p-4 text-body',
      ok ? 'border-success/30 bg-success-soft' : 'border-danger/30 bg-danger-soft',
    )}
  >
    <p className={cx('font-medium', ok ? 'text-success' : 'text-danger')}>{message}</p>
    {facts.length > 0 && (
      <ul className="grid gap-2">
        {facts.map((fact) => (
          <li key={fact.label} className="grid gap-1 sm:grid-cols-[10rem_minmax(0,1fr)]">
            <span>
              <Badge tone={fact.ok ? 'success' : 'warning'}>{fact.label}</Badge>
            </span>
            <span className="min-w-0 break-words text-ink">{fact.value}</span>
          </li>
        ))}
      </ul>
    )}
    {hostKey && (
      <p className="text-ink">
        Empreinte du serveur&nbsp;: <code className="break-all">{hostKey}</code>
      </p>
    )}
  </div>
)
