import { useQuery } from '@tanstack/react-query'
import { type AuditCheck, audit } from '@voisol/contract/audit'
import ShieldAlert from 'lucide-react/icons/shield-alert'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { formatCount, formatDateTime } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'

const POLL_MS = 1500

function describeVerification(check: AuditCheck): string {
  if (check.state === 'never')
    return 'Chaque ligne porte l’empreinte signée de la précédente. La vérification relit toute la chaîne.'
  if (check.state === 'running') return 'Vérification en cours\u00a0: vous pouvez continuer, le résultat restera ici.'
  const when = check.finishedAt ? formatDateTime(check.finishedAt) : ''
  if (!check.broken)
    return `${formatCount(check.links, 'maillon relu', 'maillons relus')} le ${when}\u00a0: la chaîne est entière.`
  const { seq, explanation, sheet } = check.broken
  const outside = sheet ? ` (d’après ${sheet}, gardé hors de la base)` : ''
  return `Premier maillon rompu\u00a0: le n°\u00a0${seq}, ${explanation}${outside}. Vérifié le ${when}. Prévenez l’exploitant\u00a0: la suite du journal ne fait plus foi.`
}

/** Whether the chain holds, as the last walk along it found. */
export function AuditVerification() {
  const { data, error, refetch } = useQuery({
    ...query(audit.verification, {}),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_MS : false),
  })
  const verify = useAction(audit.verify, [audit.verification])
  if (error && !data)
    return (
      <section aria-label="Intégrité du journal" className={cx(cardClass, 'mb-4')}>
        <ErrorState error={error} title="L’état de la chaîne n’a pas pu être lu" onRetry={refetch} />
      </section>
    )
  if (!data) return null
  const broken = data.state === 'broken'
  const Icon = broken ? ShieldAlert : ShieldCheck
  return (
    <section
      aria-label="Intégrité du journal"
      className={cx(cardClass, 'mb-4 flex flex-wrap items-center gap-x-4 gap-y-3 p-4', broken && 'border-danger')}
    >
      <Icon aria-hidden="true" className={cx('size-6 shrink-0', broken ? 'text-danger' : 'text-success')} />
      <p role="status" className={cx('min-w-0 flex-1 basis-64 text-body', broken && 'font-medium text-danger')}>
        {describeVerification(data)}
      </p>
      <Button
        variant="secondary"
        size="small"
        loading={verify.isPending || data.state === 'running'}
        onClick={() => void verify.run({})}
      >
        Vérifier la chaîne
      </Button>
    </section>
  )
}
