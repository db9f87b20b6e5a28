import { createHash } from 'node:crypto'
import { type ChainPlace, signDocument } from '../src/features/money/invoices/chain.ts'
import { toCanonicalJson } from '../src/hash.ts'
import type { Secrets } from '../src/secrets.ts'
import type { RunningServer } from './server.ts'

type OwnerConnection = Pick<RunningServer, 'asOwner'>
type InvoiceChainRow = ChainPlace & { id: string; snapshot: object }

/**
 * What an attacker with the rights of the database owner could do: a changed past, with every later hash recomputed.
 */
export async function rechainSeries(
  server: OwnerConnection,
  companyId: number,
  { from = 1, sign = 'keep' }: { from?: number; sign?: 'keep' | 'strip' | Pick<Secrets, 'stamp'> } = {},
): Promise<void> {
  const { rows } = await server.asOwner(
    `select company_id as "companyId", series_id as "seriesId", id, position, snapshot, previous_hash as previous
       from invoices where company_id = $1 and position >= $2 order by position`,
    [companyId, from],
  )
  let previous: string = rows[0].previous
  for (const row of rows as InvoiceChainRow[]) {
    const snapshot = row.position === from ? { ...row.snapshot, mentions: [] } : row.snapshot
    const hash = createHash('sha256')
      .update(`${previous}|${toCanonicalJson(snapshot)}`)
      .digest('hex')
    await server.asOwner(
      'update invoices set snapshot = $3, hash = $4, previous_hash = $5 where company_id = $1 and id = $2',
      [companyId, row.id, JSON.stringify(snapshot), hash, previous],
    )
    if (sign !== 'keep')
      await server.asOwner('update invoices set signature = $3 where company_id = $1 and id = $2', [
        companyId,
        row.id,
        sign === 'strip' ? null : signDocument(sign, { ...row, hash }),
      ])
    previous = hash
  }
  await server.asOwner('update invoice_series set last_hash = $2 where company_id = $1', [companyId, previous])
}
