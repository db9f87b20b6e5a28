import type { Endpoint } from '@voisol/contract/endpoint'
import { keys } from '@voisol/contract/keys'
import { operations } from '@voisol/contract/operations'
import type { OperationPlan } from '@voisol/simulator/demo/blueprint'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { appendAudit } from '../../../http/audit.ts'
import type { Secrets } from '../../../secrets.ts'

/** The demo data is recorded in the audit log like any other action of its author. */
export async function writeDemoAudit(tx: Db, secrets: Secrets, actor: Actor, plans: OperationPlan[]): Promise<void> {
  const { companyId, userId, email } = actor
  const write = (e: Endpoint, target: string, detail: Record<string, unknown>) =>
    appendAudit(tx, secrets, {
      companyId,
      userId,
      actor: email,
      action: `${e.method} ${e.path}`,
      label: e.summary,
      target,
      outcome: 'done',
      detail,
      requestId: '',
      ip: '',
    })
  for (const { values, keys: versions } of plans) {
    await write(operations.create, values.name, { operationId: values.id })
    for (const [n, { method, startsOn }] of versions.entries())
      await write(keys.adopt, `version ${n + 1}`, { operationId: values.id, method, startsOn })
  }
}
