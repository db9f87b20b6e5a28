import type { StatementListener } from './telemetry/statements.ts'

/** At least so many recent commits were slower: a single one may be a checkpoint or a large import. */
const SLOW_COMMIT_MS = 250
const MIN_SLOW_COMMITS = 4
const MAX_REMEMBERED_COMMITS = 32
/** Older commits no longer count. */
const RECENT_MS = 60_000

export const formatSlowDiskMessage = (ms: number) =>
  `La base de données met ${new Intl.NumberFormat('fr-FR').format(Math.round(ms))}\u00a0ms à enregistrer\u00a0: son disque est lent ou la machine surchargée. ` +
  'Rien n’est perdu, mais tout attend\u00a0: regardez l’état du disque, et ce qui écrit à côté.'

/** The duration of a commit is that of the disk, since nothing else is left to do. */
export function createSlowDiskDetector(now = () => performance.now()) {
  let last: { at: number; ms: number }[] = []
  const hear: StatementListener = ({ text, ms, error }) => {
    if (text !== 'commit' || error) return
    last = [...last.slice(1 - MAX_REMEMBERED_COMMITS), { at: now(), ms }]
  }
  return {
    hear,
    /** In French; undefined when all is well. */
    trouble(): string | undefined {
      const slow = last.filter(({ at, ms }) => ms >= SLOW_COMMIT_MS && at >= now() - RECENT_MS)
      if (slow.length < MIN_SLOW_COMMITS) return undefined
      return formatSlowDiskMessage(
        slow.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(slow.length / 2)] ?? SLOW_COMMIT_MS,
      )
    },
  }
}
export type SlowDiskDetector = ReturnType<typeof createSlowDiskDetector>
