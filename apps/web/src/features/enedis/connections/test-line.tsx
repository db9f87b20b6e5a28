import type { EnedisCredential } from '@voisol/contract/enedis'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import { dateTime, relative } from '../../../lib/format.ts'
import { isWell, testTitle } from './state.ts'

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
  const Icon = isWell(credential) ? CircleCheck : CircleAlert
  const tone = isWell(credential) ? 'text-success' : testOk ? 'text-warning' : 'text-danger'
  return (
    <p className="flex items-start gap-2 text-body">
      <Icon aria-hidden="true" className={`mt-0.5 size-4 ${tone}`} />
      <span>
        <span className={`font-medium ${tone}`}>{testTitle(credential)}</span>
        {!testOk && testMessage && <span className="block">{testMessage}</span>}
        <span className="block text-[0.8125rem] text-ink-soft" title={dateTime(testedAt)}>
          Testée {relative(testedAt)}
        </span>
      </span>
    </p>
  )
}
