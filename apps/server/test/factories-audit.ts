import { type AuditRecord, appendAudit } from '../src/http/audit.ts'
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
