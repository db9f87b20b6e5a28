import type { Operation } from '@voisol/contract/operations'
import { and, eq, min, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations, participations } from '../../../db/schema/index.ts'
import { formatFrenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'

type StartAndEnd = { startsOn?: string | null | undefined; endsOn?: string | null | undefined }

export function requireDatesInOrder({ startsOn, endsOn }: StartAndEnd) {
  if (startsOn && endsOn && endsOn <= startsOn)
    throw fieldError('endsOn', `La fin doit suivre le début, le ${formatFrenchDay(startsOn)}.`)
}

/** Operation numbers are checked one at a time per company, so that two requests cannot take the same one. */
export async function requireUnusedAccNumber(tx: Db, actor: Actor, accNumber: string, except?: string) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('operations.acc_number'), ${actor.companyId})`)
  const [other] = await tx
    .select({ name: operations.name })
    .from(operations)
    .where(
      and(
        eq(operations.companyId, actor.companyId),
        eq(operations.accNumber, accNumber),
        except ? ne(operations.id, except) : undefined,
      ),
    )
  if (other)
    throw fieldError(
      'accNumber',
      `Le numéro ${accNumber} est déjà celui de l’opération «\u00a0${other.name}\u00a0».`,
      'conflict',
    )
}

export function requireAccNumberRemovable({ status }: Operation) {
  if (status === 'active' || status === 'suspended')
    throw fieldError('accNumber', 'Une opération en service garde son numéro\u00a0: remplacez-le, sans l’effacer.')
}

/** Refuses a participation that begins before its operation. */
export async function requireNoParticipationBefore(tx: Db, actor: Actor, operationId: string, startsOn: string) {
  const [row] = await tx
    .select({ first: min(participations.startsOn) })
    .from(participations)
    .where(and(eq(participations.companyId, actor.companyId), eq(participations.operationId, operationId)))
  if (row?.first && row.first < startsOn)
    throw fieldError(
      'startsOn',
      `Un point participe dès le ${formatFrenchDay(row.first)}\u00a0: l’opération ne peut pas commencer après ce jour.`,
    )
}
