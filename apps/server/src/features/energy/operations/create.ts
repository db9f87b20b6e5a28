import type { Operation, OperationDraft } from '@voisol/contract/operations'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { createFirstKey } from '../keys/keys.ts'
import { enrolParticipants } from '../participants/participants.ts'
import { loadOperation } from './find.ts'
import { requireAllowedPower } from './perimeter.ts'
import { requireDatesInOrder, requireUnusedAccNumber } from './rules.ts'
import { recordOperationCreated } from './tell.ts'

type OperationInput = z.output<typeof OperationDraft>
type FirstKeyInput = NonNullable<OperationInput['key']>

/** Creates the operation, its participants and its key in one transaction. */
export async function createOperation(tx: Db, actor: Actor, draft: OperationInput): Promise<Operation> {
  const { capacity, participants, key, ...values } = draft
  const capacityWatts = Math.round(capacity * 1000)
  const { perimeter = 'extended', zone = 'metropole' } = values
  requireDatesInOrder(values)
  requireAllowedPower({ perimeter, zone }, capacityWatts, 'capacity')
  if (values.accNumber) await requireUnusedAccNumber(tx, actor, values.accNumber)
  const [row] = await tx
    .insert(operations)
    .values({ ...values, capacityWatts, companyId: actor.companyId })
    .returning({ id: operations.id })
  if (!row) throw new AppError('internal')
  await recordOperationCreated(tx, actor.companyId, await loadOperation(tx, actor, row.id))
  const startsOn = values.startsOn ?? getToday()
  const points = await enrolParticipants(tx, actor, row.id, participants, startsOn)
  await createFirstKey(tx, actor, row.id, {
    method: key?.method ?? 'default',
    startsOn: getFirstDay(startsOn, participants),
    shares: key ? toKeyShares(key, points) : [],
  })
  return loadOperation(tx, actor, row.id)
}

/** The key applies from the first day of any participation. */
const getFirstDay = (startsOn: string, lines: OperationInput['participants']) =>
  lines.reduce((first, line) => (line.startsOn && line.startsOn < first ? line.startsOn : first), startsOn)

function toKeyShares({ shares }: FirstKeyInput, points: Map<string, string>) {
  const issues: { path: string; message: string }[] = []
  const shareRows = shares.flatMap(({ prm, share, rank }, index) => {
    const digits = prm.replace(/[\s.-]/g, '')
    const pointId = points.get(`${digits} consumption`)
    if (pointId) return [{ pointId, ...(share !== undefined && { share }), ...(rank !== undefined && { rank }) }]
    const message = `Le PRM ${prm} n’est pas celui d’un consommateur de cette opération.`
    issues.push({ path: `key.shares.${index}.prm`, message })
    return []
  })
  if (issues.length) throw new AppError('invalid', { issues })
  return shareRows
}
