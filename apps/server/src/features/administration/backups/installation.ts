import type { CopyRun, InstallationCopy } from '@voisol/contract/backups'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { today } from '../../../today.ts'
import { rowsOf, type Sheet } from './manifest.ts'
import { keyOf, listCopies, placeName, placeOf } from './place.ts'
import { keptFor, leaving, type Reason, type Retention, steadyState } from './retention.ts'
import { closeLost, type RunRow, readRuns, reasonOf } from './runs.ts'
import { nextCopy, nextDrill, readSchedule } from './schedule.ts'

const RUNS = 60

const toRun = ({ startedAt, endedAt, kind, state, ...row }: RunRow): CopyRun => ({
  ...row,
  kind: kind as CopyRun['kind'], // checked by the table
  state: state as CopyRun['state'], // likewise
  startedAt: startedAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
})

function provedBy(runs: RunRow[], name: string): InstallationCopy['proved'] {
  const found = runs.find((run) => run.copy === name && run.kind !== 'copy' && run.endedAt)
  if (!found?.endedAt) return null
  return {
    kind: found.kind === 'drill' ? 'drill' : 'verify',
    at: found.endedAt.toISOString(),
    ok: found.state === 'done',
  }
}

const toCopy = ({ manifest, content }: Sheet, kept: Map<string, Reason[]>, runs: RunRow[]): InstallationCopy => ({
  name: manifest.name,
  madeAt: manifest.madeAt,
  version: manifest.version,
  bytes: content.bytes,
  rows: rowsOf(manifest),
  files: manifest.files.count,
  missing: manifest.files.missing.length,
  secretPrint: manifest.secretPrint,
  keptFor: kept.get(manifest.name) ?? [],
  proved: provedBy(runs, manifest.name),
})

/** The copies where they are kept, or why that place cannot be read. */
async function lookAt({ config }: Deps): Promise<{ sheets: Sheet[]; trouble: string | null }> {
  try {
    const sheets = await listCopies(placeOf(config))
    keyOf(config)
    return { sheets, trouble: null }
  } catch (error) {
    const sheets = await listCopies(placeOf(config)).catch(() => [])
    return { sheets, trouble: reasonOf(error) }
  }
}

export async function readInstallation(db: Db, deps: Deps) {
  await closeLost(db)
  const [{ sheets, trouble }, runs, schedule] = [await lookAt(deps), await readRuns(db, RUNS), await readSchedule(db)]
  const kept = keptFor(
    sheets.map(({ manifest }) => manifest),
    schedule,
  )
  const now = new Date()
  return {
    place: placeName(deps.config),
    trouble,
    copies: sheets.map((sheet) => toCopy(sheet, kept, runs)),
    runs: runs.map(toRun),
    schedule,
    next: nextCopy(schedule, now)?.toISOString() ?? null,
    nextDrill: nextDrill(schedule, now)?.toISOString() ?? null,
  }
}

export async function previewRetention(deps: Deps, retention: Retention) {
  const { sheets } = await lookAt(deps)
  const copies = sheets.map(({ manifest }) => manifest)
  return { steady: steadyState(retention, today()), leaving: leaving(copies, retention) }
}
