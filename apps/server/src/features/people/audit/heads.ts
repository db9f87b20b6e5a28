import { timingSafeEqual } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { FileStore } from '../../../adapters/files/files.ts'
import type { Db } from '../../../db/client.ts'
import { auditHeads } from '../../../db/schema/index.ts'
import type { Secrets } from '../../../secrets.ts'

/** Where the heads of each day are kept, outside the database. */
const FOLDER = 'audit-heads'

const Head = z.strictObject({
  companyId: z.int().min(0),
  seq: z.int().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})
const Sheet = z.strictObject({
  day: z.iso.date(),
  at: z.iso.datetime(),
  heads: z.array(Head),
  signature: z.string().regex(/^[0-9a-f]{64}$/),
})
export type Head = z.infer<typeof Head>
/** How long every chain was on a day, and with which last link, signed with the key that the database does not hold. */
export type Sheet = z.infer<typeof Sheet>
/** A sheet and where it was found; nothing of it is believed unless it is `signed`. */
export type FoundSheet = { name: string; sheet: Sheet | undefined; signed: boolean }

const textOf = ({ day, at, heads }: Omit<Sheet, 'signature'>) =>
  `audit heads|${JSON.stringify({ day, at, heads: heads.map(({ companyId, seq, hash }) => [companyId, seq, hash]) })}`

/** Of every company, or of one alone, which may read it. */
export async function makeSheet(db: Db, secrets: Secrets, day: string, companyId?: number): Promise<Sheet> {
  const own = companyId === undefined ? undefined : eq(auditHeads.companyId, companyId)
  const rows = await db.select().from(auditHeads).where(own).orderBy(asc(auditHeads.companyId))
  const heads = rows.filter(({ seq }) => seq > 0).map((row) => ({ ...row, hash: row.hash.toString('hex') }))
  const unsigned = { day, at: new Date().toISOString(), heads }
  return { ...unsigned, signature: secrets.sign(textOf(unsigned)).toString('hex') }
}

const keyOf = (day: string) => `${FOLDER}/${day}.json`

/** The sheet of a day as it is kept: made if there is none yet and something to note, and never made again. */
export async function keepSheet(db: Db, secrets: Secrets, store: FileStore, day: string): Promise<string | undefined> {
  const key = keyOf(day)
  const sheet = await makeSheet(db, secrets, day)
  if (!sheet.heads.length) return undefined
  const content = Buffer.from(`${JSON.stringify(sheet, null, 2)}\n`)
  if (await store.add(key, content, 'application/json')) return content.toString()
  const kept = await store.get(key)
  if (!kept) throw new Error(`file store: ${key} was there and is gone`)
  return Buffer.from(kept).toString()
}

function parse(text: string): Sheet | undefined {
  try {
    return Sheet.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

export function readSheet(secrets: Secrets, name: string, text: string): FoundSheet {
  const sheet = parse(text)
  const given = Buffer.from(sheet?.signature ?? '', 'hex')
  const signed = sheet !== undefined && secrets.signs(textOf(sheet)).some((own) => timingSafeEqual(own, given))
  return { name, sheet, signed }
}

/** All that was kept, oldest first. */
export async function keptSheets(secrets: Secrets, store: FileStore): Promise<FoundSheet[]> {
  const sheets: FoundSheet[] = []
  for (const key of await store.list(FOLDER))
    sheets.push(readSheet(secrets, key, Buffer.from((await store.get(key)) ?? []).toString()))
  return sheets
}
