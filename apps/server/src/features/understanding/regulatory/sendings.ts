import type { NewSending } from '@voisol/contract/regulatory'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { regulatorySendings } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { getExport } from './view.ts'

/** Kept as somebody says it: what left the house stays written. */
export async function recordSending(tx: Db, actor: Actor, id: string, { to, ...sending }: z.output<typeof NewSending>) {
  const made = await getExport(tx, actor, id)
  if (sending.sentOn > today())
    throw fieldError('sentOn', 'Un envoi se note une fois fait\u00a0: cette date est à venir.')
  if (sending.sentOn < made.madeAt.slice(0, 10))
    throw fieldError(
      'sentOn',
      `Cette version a été établie le ${made.madeAt.slice(0, 10).split('-').reverse().join('/')}\u00a0: elle n’a pas pu partir avant.`,
    )
  await tx
    .insert(regulatorySendings)
    .values({ ...sending, companyId: actor.companyId, exportId: id, recipient: to, createdBy: nameOfActor(actor) })
  return getExport(tx, actor, id)
}
