import type { SsoLogEntry } from '@voisol/contract/sso'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { type Db, transaction } from '../../../db/client.ts'
import { auditEntries } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { appendAudit } from '../../../http/audit.ts'
import { getClientNetwork } from '../../../http/client-address.ts'
import { throttle } from '../../../http/throttle.ts'
import type { SsoConnectionRow, SsoRefusal } from './sso-connection.ts'

const FINISH_ACTION = 'POST /api/auth/sso/finish'
const REFUSED_ACTION = 'sso.refused'
const REFUSED_LABEL = 'Entrer par une connexion d’entreprise'
const MAX_JOURNAL_LINES = 50
/** A flood that is already being refused must not fill the log. */
const MAX_REFUSALS_PER_HOUR = 60

type RecordRefusalInput = { connection: SsoConnectionRow; who: string; refusal: SsoRefusal; request: FastifyRequest }

/** Keeps why somebody was not let in, for the company whose connection it is; it stands although nothing else does. */
export async function recordSsoRefusal(
  { aside, secrets }: Pick<Deps, 'aside' | 'secrets'>,
  { connection, who, refusal, request }: RecordRefusalInput,
) {
  const { companyId, id, name } = connection
  const counted = throttle(
    aside,
    `sso refused ${companyId} ${getClientNetwork(request.ip)}`,
    MAX_REFUSALS_PER_HOUR,
    3600,
  )
  if (
    !(await counted.then(
      () => true,
      () => false,
    ))
  )
    return
  await transaction(aside, (tx) =>
    appendAudit(tx, secrets, {
      companyId,
      userId: null,
      actor: who || 'visiteur',
      action: REFUSED_ACTION,
      label: REFUSED_LABEL,
      target: name,
      outcome: 'refused',
      detail: { reason: refusal.code, sentence: refusal.message, connectionId: id },
      requestId: request.id,
      ip: request.ip,
    }),
  )
}

const getSentence = (detail: unknown): string => {
  const { sentence } = detail as { sentence?: unknown } // written by recordRefusal; other entries have none
  return typeof sentence === 'string' ? sentence : ''
}

/** The last ones who came in or were not let in. */
export async function listSsoJournal(db: Db, { companyId }: Actor): Promise<SsoLogEntry[]> {
  const rows = await db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.companyId, companyId), inArray(auditEntries.action, [FINISH_ACTION, REFUSED_ACTION])))
    .orderBy(desc(auditEntries.seq))
    .limit(MAX_JOURNAL_LINES)
  return rows.map((row) => ({
    id: String(row.seq),
    at: row.at.toISOString(),
    who: row.actor,
    connection: row.target,
    outcome: row.outcome === 'refused' ? 'refused' : 'done',
    reason: getSentence(row.detail),
    ip: row.ip,
  }))
}
