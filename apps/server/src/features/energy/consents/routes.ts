import { consents } from '@voisol/contract/consents'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { giveConsent, withdrawConsent } from './give.ts'
import { listConsents } from './list.ts'
import { tellConsents } from './tell.ts'

export function consentRoutes(app: FastifyInstance) {
  route(app, consents.list, ({ query }, { db, actor }) => listConsents(db, actor, query.participantId))

  route(app, consents.give, async ({ params, body }, { db, actor, request, note }) => {
    const { participant, consent } = await giveConsent(db, actor, params.id, body, request.ip)
    await tellConsents(db, actor.companyId, 'given', [consent])
    note({ target: participant.name, detail: { after: consent } })
    return consent
  })

  route(app, consents.withdraw, async ({ params }, { db, actor, note }) => {
    const { participant, before, consent } = await withdrawConsent(db, actor, params.id)
    if (before.state !== 'withdrawn') await tellConsents(db, actor.companyId, 'withdrawn', [consent])
    note({ target: participant.name, detail: { before, after: consent } })
    return consent
  })
}
