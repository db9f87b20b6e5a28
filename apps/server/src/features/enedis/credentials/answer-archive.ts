import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { enedisAnswers } from '../../../db/schema/index.ts'
import type { ExchangeTrace } from '../../../integrations/enedis/enedis-types.ts'
import { sha256 } from '../../../secrets.ts'

const gzipAsync = promisify(gzip)
const gunzipAsync = promisify(gunzip)
/** Answers are many and short-lived: the lowest levels give most of the compression. */
const GZIP_LEVEL = 3

/**
 * An identical answer within this time does not update the stored one. Computed as an instant, because Citus rejects
 * time zone arithmetic in the update condition.
 */
const REFRESH_AFTER_MS = 30 * 24 * 3_600_000

type ArchivedTrace = Pick<ExchangeTrace, 'requestId' | 'body'>

/** Archives answers, identical ones once, and returns the hash of each exchange's answer. */
export async function archiveAnswers(
  tx: Db,
  companyId: number,
  traces: ArchivedTrace[],
  receivedAt = new Date(),
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>()
  const bodies = new Map<string, Buffer>()
  for (const { requestId, body } of traces) {
    if (body === '') continue
    const raw = Buffer.from(body)
    const hash = sha256(raw).toString('hex')
    hashes.set(requestId, hash)
    bodies.set(hash, raw)
  }
  if (!bodies.size) return hashes
  const rows = await Promise.all(
    [...bodies].map(async ([hash, raw]) => ({
      companyId,
      sha256: hash,
      size: raw.length,
      receivedAt,
      body: await gzipAsync(raw, { level: GZIP_LEVEL }),
    })),
  )
  // A fixed order prevents a deadlock between two writers of the same answers.
  rows.sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
  await tx
    .insert(enedisAnswers)
    .values(rows)
    .onConflictDoUpdate({
      target: [enedisAnswers.companyId, enedisAnswers.sha256],
      set: { receivedAt: sql`excluded.received_at` },
      // A repeated answer is kept longer, without a write each time.
      setWhere: lt(enedisAnswers.receivedAt, new Date(receivedAt.getTime() - REFRESH_AFTER_MS)),
    })
  return hashes
}

/** The answer byte for byte, as it was received. */
export async function loadArchivedAnswer(db: Db, companyId: number, hash: string): Promise<Buffer | undefined> {
  const [row] = await db
    .select({ body: enedisAnswers.body })
    .from(enedisAnswers)
    .where(and(eq(enedisAnswers.companyId, companyId), eq(enedisAnswers.sha256, hash)))
  return row && gunzipAsync(row.body)
}
