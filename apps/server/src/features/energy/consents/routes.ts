import { consents } from '@voisol/contract/consents'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { listConsents } from './consent-queries.ts'
import { giveConsent, recordConsentEvents, withdrawConsent } from './record-consent.ts'

export function consentRoutes(app: FastifyInstance) {
  addRoute(app, consents.list, ({ query }, { db, actor }) => listConsents(db, actor, query.participantId))

  addRoute(app, consents.give, async ({ params, body }, { db, actor, request, note }) => {
    const { participant, consent } = await giveConsent(db, actor, params.id, body, request.ip)
    await recordConsentEvents(db, actor.companyId, 'given', [consent])
    note({ target: participant.name, detail: { after: consent } })
    return consent
  })

  addRoute(app, consents.withdraw, async ({ params }, { db, actor, note }) => {
    const { participant, before, consent } = await withdrawConsent(db, actor, params.id)
    if (before.state !== 'withdrawn') await recordConsentEvents(db, actor.companyId, 'withdrawn', [consent])
    note({ target: participant.name, detail: { before, after: consent } })
    return consent
  })
}
