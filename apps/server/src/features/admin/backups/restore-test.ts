import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { formatCount } from '@voisol/file-formats/french'
import { sql } from 'drizzle-orm'
import { type Db, openDatabase } from '../../../db/client.ts'
import { startEmbeddedPostgres } from '../../../db/embedded.ts'
import type { Deps } from '../../../deps.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { getTraversableFolderMode, PRIVATE_FOLDER } from '../../../private-files.ts'
import { SEQUENCE_FAULT_LABELS, verifyInvoiceSequences } from '../../billing/invoices/index.ts'
import { verifyRun } from '../../energy/allocation/index.ts'
import { AUDIT_FAULT_MESSAGES, verifyAudit } from '../../identity/audit/index.ts'
import { countCopiedRows, type Manifest } from './copy-format.ts'
import type { CopyRunResult } from './copy-runs.ts'
import { openCopyStore, requireBackupKey } from './copy-store.ts'
import { checkMissingFiles, type Finding } from './missing-files.ts'
import { createCopySource, restoreCopy } from './restore-copy.ts'
import { requireSpaceForRestoreTest } from './write-copy.ts'

/** A database that nobody works in, and that is gone afterwards. */
type ScratchDatabase = { url: string; ownerUrl: string; remove(): Promise<void> }

/** A PostgreSQL of its own, in a folder of its own: it needs no right on the one that is in service, and proves it can be done elsewhere. */
async function openScratchDatabase({ config }: Deps): Promise<ScratchDatabase> {
  const folder = join(config.dataDir, 'drill')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, PRIVATE_FOLDER)
  await chmod(folder, getTraversableFolderMode()) // as root, PostgreSQL runs under another account that must reach its folder
  const { url, ownerUrl, stop } = await startEmbeddedPostgres(join(folder, 'postgres'))
  const remove = async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { url, ownerUrl, remove }
}

async function checkAuditChains(db: Db, { secrets }: Deps): Promise<Finding> {
  const chains = await verifyAudit(db, secrets)
  const broken = chains.find((chain) => chain.broken)
  const links = chains.reduce((sum, chain) => sum + chain.links, 0)
  return {
    label: 'Journal d’audit',
    ok: !broken,
    detail: broken?.broken
      ? `organisation ${broken.companyId}, maillon ${broken.broken.seq}\u00a0: ${AUDIT_FAULT_MESSAGES[broken.broken.fault]}.`
      : `${formatCount(links, 'maillon', 'maillons')} de ${formatCount(chains.length, 'chaîne', 'chaînes')}`,
  }
}

/** A copy of before documents were signed holds hashes alone: they are signed when it is put into service. */
async function checkInvoiceSequences(db: Db, { secrets }: Deps, manifest: Manifest): Promise<Finding> {
  const signed = manifest.tables.some(({ name }) => name === 'invoice_anchors')
  const series = await verifyInvoiceSequences(db, signed ? secrets : undefined)
  const found = series.find(({ broken }) => broken)
  const documents = series.reduce((sum, one) => sum + one.documents, 0)
  return {
    label: 'Numéros de factures',
    ok: !found,
    detail: found?.broken
      ? `document ${found.broken.number}\u00a0: ${SEQUENCE_FAULT_LABELS[found.broken.fault]}.`
      : `${formatCount(documents, 'document', 'documents')} de ${formatCount(series.length, 'série', 'séries')}`,
  }
}

/** The latest of each company: what is proved of them is proved of how they were copied. */
const MAX_PROVED_RUNS = 40
async function checkAllocationProofs(db: Db): Promise<Finding> {
  const { rows } = await db.execute<{ companyId: number; id: string }>(sql`
    select company_id as "companyId", id from allocation_runs where status = 'done'
     order by finished_at desc nulls last limit ${MAX_PROVED_RUNS}`)
  let wrong = 0
  for (const { companyId, id } of rows) {
    const actor = await authorizeJob(db, { companyId, userId: null }, { permission: 'allocations.read' })
    const { broken, sameHash } = await verifyRun(db, actor, id)
    if (broken || !sameHash) wrong++
  }
  return {
    label: 'Preuves de répartition',
    ok: wrong === 0,
    detail: wrong
      ? `${formatCount(wrong, 'calcul ne se retrouve plus', 'calculs ne se retrouvent plus')} pas à pas.`
      : `${formatCount(rows.length, 'calcul retrouvé', 'calculs retrouvés')} pas à pas`,
  }
}

async function checkRowCounts(db: Db, manifest: Manifest): Promise<Finding> {
  const off: string[] = []
  for (const { name, rows } of manifest.tables) {
    const { rows: counted } = await db.execute<{ n: string }>(sql`select count(*) as n from ${sql.identifier(name)}`)
    if (Number(counted[0]?.n) !== rows) off.push(name)
  }
  const { files } = manifest
  return {
    label: 'Lignes et fichiers',
    ok: off.length === 0,
    detail: off.length
      ? `${formatCount(off.length, 'table n’a pas', 'tables n’ont pas')} le nombre de lignes de la copie (${off.join(', ')}).`
      : `${countCopiedRows(manifest).toLocaleString('fr-FR')} lignes de ${manifest.tables.length} tables, ${formatCount(files.count, 'fichier relu', 'fichiers relus')}`,
  }
}

/** Restores a copy where nobody works, and holds it against what must be true of it. */
export async function runRestoreTest(
  deps: Deps,
  name: string,
  open: (deps: Deps) => Promise<ScratchDatabase> = openScratchDatabase,
): Promise<CopyRunResult> {
  const place = openCopyStore(deps.config)
  await requireSpaceForRestoreTest(deps)
  const scratch = await open(deps)
  try {
    const { url, ownerUrl } = scratch
    const { secretKey, formerKeys } = deps.config
    const about = { source: createCopySource(place, name), key: requireBackupKey(deps.config), secretKey, formerKeys }
    const manifest = await restoreCopy({ ...about, url, ownerUrl })
    const db = openDatabase(url, 2)
    try {
      const findings = [
        await checkRowCounts(db, manifest),
        ...checkMissingFiles(manifest),
        await checkAuditChains(db, deps),
        await checkAllocationProofs(db),
        await checkInvoiceSequences(db, deps, manifest),
      ]
      return { copy: name, rows: countCopiedRows(manifest), bytes: 0, findings }
    } finally {
      await db.$client.end()
    }
  } finally {
    await scratch.remove()
  }
}
