import { support } from '@voisol/contract/support'
import { supportDesk } from '@voisol/contract/support-desk'
import { call, type TestServer } from './client.ts'
import { makeUser } from './factories.ts'
import { makeParticipant } from './factories-participants.ts'

type TokenHolder = { token: string }

/** An organiser, and a participant with a question. */
export async function makeSupportFixture(server: TestServer, more: { companyId?: number } = {}) {
  const admin = await makeUser(server.db, more)
  const { companyId } = admin
  const client = await makeUser(server.db, { companyId, isAdmin: false })
  const participant = await makeParticipant(server.db, { companyId, userId: client.id, name: 'Zoé Martin' })
  return { admin, client, participant, companyId }
}

export const TICKET_INPUT = { subject: 'Ma facture de mars', category: 'invoice', body: 'Pourquoi ce montant ?' }

/** Short forms of the calls of both sides. */
export const createSupportCalls = (server: TestServer) => ({
  ask: (who: TokenHolder, more: object = {}) =>
    call(server, support.create, { body: { ...TICKET_INPUT, ...more } }, who),
  read: (who: TokenHolder, id: string) => call(server, support.get, { params: { id } }, who),
  mine: (who: TokenHolder, query: Record<string, string> = {}) => call(server, support.list, { query }, who),
  write: (who: TokenHolder, id: string, body = 'Et encore ceci.') =>
    call(server, support.reply, { params: { id }, body: { body } }, who),
  rate: (who: TokenHolder, id: string, body: object) => call(server, support.rate, { params: { id }, body }, who),
  solve: (who: TokenHolder, id: string) => call(server, support.solve, { params: { id } }, who),
  queue: (who: TokenHolder, query: Record<string, string> = {}) => call(server, supportDesk.queue, { query }, who),
  open: (who: TokenHolder, id: string) => call(server, supportDesk.get, { params: { id } }, who),
  answer: (who: TokenHolder, id: string, more: object = {}) =>
    call(server, supportDesk.answer, { params: { id }, body: { body: 'Voici la réponse.', ...more } }, who),
  note: (who: TokenHolder, id: string, body = 'À vérifier avec la comptabilité.') =>
    call(server, supportDesk.note, { params: { id }, body: { body } }, who),
  update: (who: TokenHolder, id: string, body: object) =>
    call(server, supportDesk.update, { params: { id }, body }, who),
  merge: (who: TokenHolder, id: string, into: string) =>
    call(server, supportDesk.merge, { params: { id }, body: { into } }, who),
})
