import type { EnedisCredential } from '@voisol/contract/enedis'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import { formatDateTime, formatRelativeTime } from '../../../lib/format.ts'
import { getTestTitle, isConnectionWorking } from './state.ts'

/** When the connection was last tried, and what came of it. */
export function TestLine({ credential }: { credential: EnedisCredential }) {
  const { testedAt, testOk, testMessage } = credential
  if (testedAt === null)
    return (
      <p className="flex items-start gap-2 text-body text-ink-soft">
        <CircleDashed aria-hidden="true" className="mt-0.5 size-4" />
        Jamais testée
      </p>
    )
  const Icon = isConnectionWorking(credential) ? CircleCheck : CircleAlert
  const tone = isConnectionWorking(credential) ? 'text-success' : testOk ? 'text-warning' : 'text-danger'
  return (
    <p className="flex items-start gap-2 text-body">
      <Icon aria-hidden="true" className={`mt-0.5 size-4 ${tone}`} />
      <span>
        <span className={`font-medium ${tone}`}>{getTestTitle(credential)}</span>
        {!testOk && testMessage && <span className="block">{testMessage}</span>}
        <span className="block text-[0.8125rem] text-ink-soft" title={formatDateTime(testedAt)}>
          Testée {formatRelativeTime(testedAt)}
        </span>
      </span>
    </p>
  )
}
