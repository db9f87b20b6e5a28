import type { Operation, OperationDraft } from '@voisol/contract/operations'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { createFirstKey } from '../keys/keys.ts'
import { enrolLines } from '../participants/participants.ts'
import { getOperation } from './find.ts'
import { requireAllowedPower } from './perimeter.ts'
import { requireFreeNumber, requireOrder } from './rules.ts'
import { tellCreated } from './tell.ts'

type Draft = z.output<typeof OperationDraft>
type FirstKey = NonNullable<Draft['key']>

/** The operation, those who take part and the key they share by: all of it, or nothing. */
export async function createOperation(tx: Db, actor: Actor, draft: Draft): Promise<Operation> {
  const { capacity, participants, key, ...values } = draft
  const capacityWatts = Math.round(capacity * 1000)
  const { perimeter = 'extended', zone = 'metropole' } = values
  requireOrder(values)
  requireAllowedPower({ perimeter, zone }, capacityWatts, 'capacity')
  if (values.accNumber) await requireFreeNumber(tx, actor, values.accNumber)
  const [row] = await tx
    .insert(operations)
    .values({ ...values, capacityWatts, companyId: actor.companyId })
    .returning({ id: operations.id })
  if (!row) throw new AppError('internal')
  await tellCreated(tx, actor.companyId, await getOperation(tx, actor, row.id))
  const startsOn = values.startsOn ?? today()
  const points = await enrolLines(tx, actor, row.id, participants, startsOn)
  await createFirstKey(tx, actor, row.id, {
    method: key?.method ?? 'default',
    startsOn: firstDay(startsOn, participants),
    shares: key ? sharesOf(key, points) : [],
  })
  return getOperation(tx, actor, row.id)
}

/** The key holds from the first day that anybody takes part. */
const firstDay = (startsOn: string, lines: Draft['participants']) =>
  lines.reduce((first, line) => (line.startsOn && line.startsOn < first ? line.startsOn : first), startsOn)

function sharesOf({ shares }: FirstKey, points: Map<string, string>) {
  const issues: { path: string; message: string }[] = []
  const found = shares.flatMap(({ prm, share, rank }, index) => {
    const digits = prm.replace(/[\s.-]/g, '')
    const pointId = points.get(`${digits} consumption`)
    if (pointId) return [{ pointId, ...(share !== undefined && { share }), ...(rank !== undefined && { rank }) }]
    const message = `Le PRM ${prm} n’est pas celui d’un consommateur de cette opération.`
    issues.push({ path: `key.shares.${index}.prm`, message })
    return []
  })
  if (issues.length) throw new AppError('invalid', { issues })
  return found
}
