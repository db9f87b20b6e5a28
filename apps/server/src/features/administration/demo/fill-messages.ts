import { and, asc, eq } from 'drizzle-orm'
import { scopeToCompany, transaction } from '../../../db/client.ts'
import { messages, messageTemplates, operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { seedMessage } from '../../relationship/messages/messages.ts'

const toParisDate = (today: string, days: number, plainTime: string) =>
  new Date(
    Temporal.PlainDate.from(today).add({ days }).toZonedDateTime({ timeZone: 'Europe/Paris', plainTime })
      .epochMilliseconds,
  )

/** Even when the demo is dated in the past, the scheduled message stays scheduled. */
const keepInFuture = (moment: Date) => new Date(Math.max(moment.getTime(), Date.now() + 9 * 86_400_000))

const SENT_MESSAGE = {
  subject: 'Entretien du toit de {{operation}}',
  body: 'Bonjour {{prenom}},\n\nLes panneaux de {{operation}} seront nettoyés jeudi entre 9 h et 12 h. La production locale baissera ce matin-là\u00a0; votre électricité, elle, ne sera pas coupée.\n\n{{agent}}, {{organisation}}',
}
const SCHEDULED_MESSAGE = {
  subject: 'Réunion des participants de {{operation}}',
  body: 'Bonjour {{prenom}},\n\nNous nous retrouvons le mois prochain pour regarder ensemble les chiffres de {{operation}}. Répondez à ce message pour dire si vous venez.\n\n{{agent}}',
}

/** Creates one message read by some recipients, one scheduled message and one template. */
export async function fillMessages(deps: Deps, actor: Actor, today: string): Promise<void> {
  const { companyId } = actor
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    const [known] = await tx
      .select({ id: messages.id })
      .from(messages)
      .where(eq(messages.companyId, companyId))
      .limit(1)
    const [operation] = await tx
      .select({ id: operations.id })
      .from(operations)
      .where(and(eq(operations.companyId, companyId), eq(operations.status, 'active')))
      .orderBy(asc(operations.name))
      .limit(1)
    if (known || !operation) return
    const place = { operationId: operation.id }
    await seedMessage(tx, actor, { ...SENT_MESSAGE, ...place, sendAt: toParisDate(today, -6, '10:20'), sent: true })
    await seedMessage(tx, actor, {
      ...SCHEDULED_MESSAGE,
      ...place,
      sendAt: keepInFuture(toParisDate(today, 9, '09:00')),
      sent: false,
    })
    await tx
      .insert(messageTemplates)
      .values({ companyId, name: 'Entretien du toit', ...SENT_MESSAGE })
      .onConflictDoNothing()
  })
}
