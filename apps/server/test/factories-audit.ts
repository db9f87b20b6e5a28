import { createHash } from 'node:crypto'
import { type ChainPlace, signDocument } from '../src/features/billing/invoices/invoice-sequence.ts'
import { toCanonicalJson } from '../src/hash.ts'
import { type AuditRecord, appendAudit } from '../src/http/audit.ts'
import type { Secrets } from '../src/secrets.ts'
import { makeCompany } from './factories.ts'
import type { RunningServer } from './server.ts'

export const buildAuditRecord = (companyId: number, n: number): AuditRecord => ({
  companyId,
  userId: null,
  actor: 'camille@exemple.fr',
  action: 'POST /api/users',
  label: 'Inviter un utilisateur',
  target: `Élodie ${n}`,
  outcome: 'done',
  detail: { z: n, a: { nested: [1, 'é', null] } },
  requestId: `r${n}`,
  ip: '127.0.0.1',
})

/** Adds the links `from` to `to`; a pause keeps their times distinct. */
export async function appendAuditEntries({ db, deps }: RunningServer, companyId: number, from: number, to: number) {
  for (let n = from; n <= to; n++) {
    await appendAudit(db, deps.secrets, buildAuditRecord(companyId, n))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/** A new company whose chain has `n` links. */
export async function makeAuditChain(server: RunningServer, n: number) {
  const { id } = await makeCompany(server.db)
  await appendAuditEntries(server, id, 1, n)
  return id
}

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
