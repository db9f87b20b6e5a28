import { timingSafeEqual } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { auditHeads } from '../../../db/schema/index.ts'
import type { FileStore } from '../../../integrations/files/files.ts'
import type { Secrets } from '../../../secrets.ts'

/** The folder outside the database where the chain heads of each day are stored. */
const HEADS_FOLDER = 'audit-heads'

const AuditHead = z.strictObject({
  companyId: z.int().min(0),
  seq: z.int().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})
const AuditHeadsSnapshot = z.strictObject({
  day: z.iso.date(),
  at: z.iso.datetime(),
  heads: z.array(AuditHead),
  signature: z.string().regex(/^[0-9a-f]{64}$/),
})
/** The length and the last hash of every chain on a day, signed with a key that is not in the database. */
type AuditHeadsSnapshot = z.infer<typeof AuditHeadsSnapshot>
/** A snapshot file; its content must be ignored unless `signed` is true. */
export type HeadsSnapshotFile = { name: string; sheet: AuditHeadsSnapshot | undefined; signed: boolean }

const getSignedText = ({ day, at, heads }: Omit<AuditHeadsSnapshot, 'signature'>) =>
  `audit heads|${JSON.stringify({ day, at, heads: heads.map(({ companyId, seq, hash }) => [companyId, seq, hash]) })}`

/** The heads of every company, or of a single one, which may read it. */
export async function takeHeadsSnapshot(
  db: Db,
  secrets: Secrets,
  day: string,
  companyId?: number,
): Promise<AuditHeadsSnapshot> {
  const own = companyId === undefined ? undefined : eq(auditHeads.companyId, companyId)
  const rows = await db.select().from(auditHeads).where(own).orderBy(asc(auditHeads.companyId))
  const heads = rows.filter(({ seq }) => seq > 0).map((row) => ({ ...row, hash: row.hash.toString('hex') }))
  const unsigned = { day, at: new Date().toISOString(), heads }
  return { ...unsigned, signature: secrets.sign(getSignedText(unsigned)).toString('hex') }
}

const getSnapshotKey = (day: string) => `${HEADS_FOLDER}/${day}.json`

/** Stores the snapshot of a day unless it exists or there is nothing to store; an existing one is never replaced. */
export async function storeHeadsSnapshot(
  db: Db,
  secrets: Secrets,
  store: FileStore,
  day: string,
): Promise<string | undefined> {
  const key = getSnapshotKey(day)
  const sheet = await takeHeadsSnapshot(db, secrets, day)
  if (!sheet.heads.length) return undefined
  const content = Buffer.from(`${JSON.stringify(sheet, null, 2)}\n`)
  if (await store.add(key, content, 'application/json')) return content.toString()
  const stored = await store.get(key)
  if (!stored) throw new Error(`file store: ${key} was there and is gone`)
  return Buffer.from(stored).toString()
}

function parseSnapshot(text: string): AuditHeadsSnapshot | undefined {
  try {
    return AuditHeadsSnapshot.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

export function parseHeadsSnapshot(secrets: Secrets, name: string, text: string): HeadsSnapshotFile {
  const sheet = parseSnapshot(text)
  const signature = Buffer.from(sheet?.signature ?? '', 'hex')
  const signed =
    sheet !== undefined && secrets.signs(getSignedText(sheet)).some((own) => timingSafeEqual(own, signature))
  return { name, sheet, signed }
}

/** All stored snapshots, oldest first. */
export async function loadHeadsSnapshots(secrets: Secrets, store: FileStore): Promise<HeadsSnapshotFile[]> {
  const sheets: HeadsSnapshotFile[] = []
  for (const key of await store.list(HEADS_FOLDER))
    sheets.push(parseHeadsSnapshot(secrets, key, Buffer.from((await store.get(key)) ?? []).toString()))
  return sheets
}
