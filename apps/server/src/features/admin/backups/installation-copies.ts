import type { CopyRun, InstallationCopy } from '@voisol/contract/backups'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { getToday } from '../../../today.ts'
import { countCopiedRows, type SignedManifest } from './copy-format.ts'
import { type CopyRunRow, closeLostCopyRuns, describeCopyFailure, listCopyRuns } from './copy-runs.ts'
import {
  computeKeepReasons,
  getNextCopyDate,
  getNextRestoreTestDate,
  type KeepReason,
  listCopiesToDelete,
  loadCopySchedule,
  type Retention,
  simulateRetention,
} from './copy-schedule.ts'
import { describeCopyStore, listCopies, openCopyStore, requireBackupKey } from './copy-store.ts'

const MAX_LISTED_RUNS = 60

const toCopyRun = ({ startedAt, endedAt, kind, state, ...row }: CopyRunRow): CopyRun => ({
  ...row,
  kind: kind as CopyRun['kind'], // checked by the table
  state: state as CopyRun['state'], // likewise
  startedAt: startedAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
})

function findLastProof(runs: CopyRunRow[], name: string): InstallationCopy['proved'] {
  const found = runs.find((run) => run.copy === name && run.kind !== 'copy' && run.endedAt)
  if (!found?.endedAt) return null
  return {
    kind: found.kind === 'drill' ? 'drill' : 'verify',
    at: found.endedAt.toISOString(),
    ok: found.state === 'done',
  }
}

const toInstallationCopy = (
  { manifest, content }: SignedManifest,
  keepReasons: Map<string, KeepReason[]>,
  runs: CopyRunRow[],
): InstallationCopy => ({
  name: manifest.name,
  madeAt: manifest.madeAt,
  version: manifest.version,
  bytes: content.bytes,
  rows: countCopiedRows(manifest),
  files: manifest.files.count,
  missing: manifest.files.missing.length,
  secretPrint: manifest.secretPrint,
  keptFor: keepReasons.get(manifest.name) ?? [],
  proved: findLastProof(runs, manifest.name),
})

/** The copies where they are kept, or why that place cannot be read. */
async function tryListCopies({ config }: Deps): Promise<{ sheets: SignedManifest[]; trouble: string | null }> {
  try {
    const manifests = await listCopies(openCopyStore(config))
    requireBackupKey(config)
    return { sheets: manifests, trouble: null }
  } catch (error) {
    const manifests = await listCopies(openCopyStore(config)).catch(() => [])
    return { sheets: manifests, trouble: describeCopyFailure(error) }
  }
}

export async function loadInstallationCopies(db: Db, deps: Deps) {
  await closeLostCopyRuns(db)
  const [{ sheets, trouble }, runs, schedule] = [
    await tryListCopies(deps),
    await listCopyRuns(db, MAX_LISTED_RUNS),
    await loadCopySchedule(db),
  ]
  const keepReasons = computeKeepReasons(
    sheets.map(({ manifest }) => manifest),
    schedule,
  )
  const now = new Date()
  return {
    place: describeCopyStore(deps.config),
    trouble,
    copies: sheets.map((signedManifest) => toInstallationCopy(signedManifest, keepReasons, runs)),
    runs: runs.map(toCopyRun),
    schedule,
    next: getNextCopyDate(schedule, now)?.toISOString() ?? null,
    nextDrill: getNextRestoreTestDate(schedule, now)?.toISOString() ?? null,
  }
}

export async function previewRetention(deps: Deps, retention: Retention) {
  const { sheets } = await tryListCopies(deps)
  const copies = sheets.map(({ manifest }) => manifest)
  return { steady: simulateRetention(retention, getToday()), leaving: listCopiesToDelete(copies, retention) }
}
