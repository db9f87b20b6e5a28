import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Db, openDatabase } from '../../../db/client.ts'
import { startEmbedded } from '../../../db/embedded.ts'
import type { Deps } from '../../../deps.ts'
import { plural } from '../../../french.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { PRIVATE_FOLDER, passageMode } from '../../../private-files.ts'
import { proveRun } from '../../energy/allocations/allocations.ts'
import { SERIES_FAULTS, verifySeries } from '../../money/invoices/invoices.ts'
import { FAULTS, verifyAudit } from '../../people/audit/audit.ts'
import { requireSpaceForRestoreTest } from './disk-space.ts'
import { type Manifest, rowsOf } from './manifest.ts'
import { fileFindings } from './missing-files.ts'
import { keyOf, placeOf } from './place.ts'
import { restoreCopy } from './restore.ts'
import type { Done, Finding } from './runs.ts'
import { sourceAt } from './source.ts'

/** A database that nobody works in, and that is gone afterwards. */
export type Scratch = { url: string; ownerUrl: string; remove(): Promise<void> }

/** A PostgreSQL of its own, in a folder of its own: it needs no right on the one that is in service, and proves it can be done elsewhere. */
export async function openScratch({ config }: Deps): Promise<Scratch> {
  const folder = join(config.dataDir, 'drill')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, PRIVATE_FOLDER)
  await chmod(folder, passageMode()) // as root, PostgreSQL runs under another account that must reach its folder
  const { url, ownerUrl, stop } = await startEmbedded(join(folder, 'postgres'))
  const remove = async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { url, ownerUrl, remove }
}

async function auditFinding(db: Db, { secrets }: Deps): Promise<Finding> {
  const chains = await verifyAudit(db, secrets)
  const broken = chains.find((chain) => chain.broken)
  const links = chains.reduce((sum, chain) => sum + chain.links, 0)
  return {
    label: 'Journal d’audit',
    ok: !broken,
    detail: broken?.broken
      ? `organisation ${broken.companyId}, maillon ${broken.broken.seq}\u00a0: ${FAULTS[broken.broken.fault]}.`
      : `${plural(links, 'maillon', 'maillons')} de ${plural(chains.length, 'chaîne', 'chaînes')}`,
  }
}

/** A copy of before documents were signed holds hashes alone: they are signed when it is put into service. */
async function invoiceFinding(db: Db, { secrets }: Deps, manifest: Manifest): Promise<Finding> {
  const signed = manifest.tables.some(({ name }) => name === 'invoice_anchors')
  const series = await verifySeries(db, signed ? secrets : undefined)
  const found = series.find(({ broken }) => broken)
  const documents = series.reduce((sum, one) => sum + one.documents, 0)
  return {
    label: 'Numéros de factures',
    ok: !found,
    detail: found?.broken
      ? `document ${found.broken.number}\u00a0: ${SERIES_FAULTS[found.broken.fault]}.`
      : `${plural(documents, 'document', 'documents')} de ${plural(series.length, 'série', 'séries')}`,
  }
}

/** The latest of each company: what is proved of them is proved of how they were copied. */
const RUNS = 40
async function proofFinding(db: Db): Promise<Finding> {
  const { rows } = await db.execute<{ companyId: number; id: string }>(sql`
    select company_id as "companyId", id from allocation_runs where status = 'done'
     order by finished_at desc nulls last limit ${RUNS}`)
  let wrong = 0
  for (const { companyId, id } of rows) {
    const actor = await authorizeJob(db, { companyId, userId: null }, { permission: 'allocations.read' })
    const { broken, sameHash } = await proveRun(db, actor, id)
    if (broken || !sameHash) wrong++
  }
  return {
    label: 'Preuves de répartition',
    ok: wrong === 0,
    detail: wrong
      ? `${plural(wrong, 'calcul ne se retrouve plus', 'calculs ne se retrouvent plus')} pas à pas.`
      : `${plural(rows.length, 'calcul retrouvé', 'calculs retrouvés')} pas à pas`,
  }
}

async function countFinding(db: Db, manifest: Manifest): Promise<Finding> {
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
      ? `${plural(off.length, 'table n’a pas', 'tables n’ont pas')} le nombre de lignes de la copie (${off.join(', ')}).`
      : `${rowsOf(manifest).toLocaleString('fr-FR')} lignes de ${manifest.tables.length} tables, ${plural(files.count, 'fichier relu', 'fichiers relus')}`,
  }
}

/** Restores a copy where nobody works, and holds it against what must be true of it. */
export async function drillCopy(
  deps: Deps,
  name: string,
  open: (deps: Deps) => Promise<Scratch> = openScratch,
): Promise<Done> {
  const place = placeOf(deps.config)
  await requireSpaceForRestoreTest(deps)
  const scratch = await open(deps)
  try {
    const { url, ownerUrl } = scratch
    const { secretKey, formerKeys } = deps.config
    const about = { source: sourceAt(place, name), key: keyOf(deps.config), secretKey, formerKeys }
    const manifest = await restoreCopy({ ...about, url, ownerUrl })
    const db = openDatabase(url, 2)
    try {
      const findings = [
        await countFinding(db, manifest),
        ...fileFindings(manifest),
        await auditFinding(db, deps),
        await proofFinding(db),
        await invoiceFinding(db, deps, manifest),
      ]
      return { copy: name, rows: rowsOf(manifest), bytes: 0, findings }
    } finally {
      await db.$client.end()
    }
  } finally {
    await scratch.remove()
  }
}
