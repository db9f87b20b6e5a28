import { support } from '@voisol/contract/support'
import { supportDesk } from '@voisol/contract/support-desk'
import { call, type Server } from './client.ts'
import { makeUser } from './factories.ts'
import { makeParticipant } from './factories-participants.ts'

type Who = { token: string }

/** An organiser and one of their participants, who has a question. */
export async function makeSupportScene(server: Server, more: { companyId?: number } = {}) {
  const admin = await makeUser(server.db, more)
  const { companyId } = admin
  const client = await makeUser(server.db, { companyId, isAdmin: false })
  const participant = await makeParticipant(server.db, { companyId, userId: client.id, name: 'Zoé Martin' })
  return { admin, client, participant, companyId }
}

export const ASKED = { subject: 'Ma facture de mars', category: 'invoice', body: 'Pourquoi ce montant ?' }

/** The calls of both sides, as short as the tests need them. */
export const callsOf = (server: Server) => ({
  ask: (who: Who, more: object = {}) => call(server, support.create, { body: { ...ASKED, ...more } }, who),
  read: (who: Who, id: string) => call(server, support.get, { params: { id } }, who),
  mine: (who: Who, query: Record<string, string> = {}) => call(server, support.list, { query }, who),
  write: (who: Who, id: string, body = 'Et encore ceci.') =>
    call(server, support.reply, { params: { id }, body: { body } }, who),
  rate: (who: Who, id: string, body: object) => call(server, support.rate, { params: { id }, body }, who),
  solve: (who: Who, id: string) => call(server, support.solve, { params: { id } }, who),
  queue: (who: Who, query: Record<string, string> = {}) => call(server, supportDesk.queue, { query }, who),
  open: (who: Who, id: string) => call(server, supportDesk.get, { params: { id } }, who),
  answer: (who: Who, id: string, more: object = {}) =>
    call(server, supportDesk.answer, { params: { id }, body: { body: 'Voici la réponse.', ...more } }, who),
  note: (who: Who, id: string, body = 'À vérifier avec la comptabilité.') =>
    call(server, supportDesk.note, { params: { id }, body: { body } }, who),
  update: (who: Who, id: string, body: object) => call(server, supportDesk.update, { params: { id }, body }, who),
  merge: (who: Who, id: string, into: string) =>
    call(server, supportDesk.merge, { params: { id }, body: { into } }, who),
})
