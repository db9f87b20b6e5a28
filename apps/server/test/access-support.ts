import { cannedReplies, ticketFiles, ticketMessages, tickets } from '../src/db/schema/index.ts'
import type { Owner, ParamsMaker } from './access-makers.ts'
import type { TestServer } from './client.ts'
import { UNKNOWN_ID } from './nobody.ts'

type SupportMakerTools = { file: (server: TestServer, companyId: number) => Promise<string>; secret: string }

const RESPONSE_TARGETS = { first: 60, solve: 480 }
export const SUPPORT_BODIES = {
  'POST /api/support/tickets': { subject: 'Ma facture', category: 'invoice', body: 'Pourquoi ce montant ?' },
  'POST /api/support/tickets/:id/messages': { body: 'Et encore ceci.' },
  'POST /api/support/tickets/:id/satisfaction': { score: 4 },
  'POST /api/support/desk/tickets/:id/messages': { body: 'Voici.' },
  'POST /api/support/desk/tickets/:id/notes': { body: 'À voir.' },
  'PATCH /api/support/desk/tickets/:id': { version: 1, priority: 'high' },
  'POST /api/support/desk/tickets/:id/merge': { into: UNKNOWN_ID },
  'POST /api/support/desk/messages/:id': { decision: 'drop' },
  'POST /api/support/desk/replies': { name: 'Reçu', body: 'Bonjour {{prenom}}' },
  'PUT /api/support/desk/replies/:id': { name: 'Reçu', body: 'Bonjour {{prenom}}', version: 1 },
  'PUT /api/support/desk/hours': {
    days: [1],
    from: '09:00',
    to: '17:00',
    alsaceMoselle: false,
    promises: { low: RESPONSE_TARGETS, normal: RESPONSE_TARGETS, high: RESPONSE_TARGETS, urgent: RESPONSE_TARGETS },
    version: 0,
  },
}
export const SUPPORT_QUERIES = {
  'POST /api/support/files': { name: 'facture.pdf' },
  'POST /api/support/desk/tickets/:id/files': { name: 'facture.pdf' },
}

export async function makeTicket(
  { db }: Pick<TestServer, 'db'>,
  owner: Owner,
  more: Partial<typeof tickets.$inferInsert> = {},
) {
  const { companyId, id: askerId } = owner
  const now = new Date()
  const clock = { firstMinutes: 60, solveMinutes: 600, firstDueAt: now, runningSince: now, solveDueAt: now }
  const number = 1 + Math.floor(Math.random() * 1_000_000)
  const [row] = await db
    .insert(tickets)
    .values({
      companyId,
      askerId,
      number,
      desk: 'organiser',
      subject: 'Ma facture',
      category: 'invoice',
      ...clock,
      ...more,
    })
    .returning()
  if (!row) throw new Error('no ticket')
  return row
}

/** Tickets, their messages and files, and canned replies. */
export function supportMakers({ file, secret }: SupportMakerTools): [RegExp, ParamsMaker][] {
  const makeOwnTicket: ParamsMaker = async (server, owner) => ({
    id: (await makeTicket(server, owner, { desk: 'keeper', subject: secret })).id,
  })
  const makeOrganiserTicket: ParamsMaker = async (server, owner) => ({
    id: (await makeTicket(server, owner, { subject: secret })).id,
  })
  const message = async (server: TestServer, owner: Owner, heldFrom: string | null) => {
    const { companyId, id: ticketId } = await makeTicket(server, owner, { subject: secret })
    const written = { side: 'asker' as const, author: secret, body: secret, heldFrom }
    const [row] = await server.db
      .insert(ticketMessages)
      .values({ companyId, ticketId, ...written })
      .returning()
    return row?.id ?? ''
  }
  const makeAttachment: ParamsMaker = async (server, owner) => {
    const { companyId } = owner
    const [row] = await server.db
      .insert(ticketFiles)
      .values({ companyId, fileId: await file(server, companyId), messageId: await message(server, owner, null) })
      .returning()
    return { id: row?.id }
  }
  const reply: ParamsMaker = async ({ db }, { companyId }) => {
    const [row] = await db
      .insert(cannedReplies)
      .values({ companyId, desk: 'organiser', name: `${secret} ${crypto.randomUUID()}`, body: secret })
      .returning()
    return { id: row?.id }
  }
  return [
    [/^\/api\/support\/(?:desk\/)?files\/:id/, makeAttachment],
    [/^\/api\/support\/tickets\/:id/, makeOwnTicket],
    [/^\/api\/support\/desk\/tickets\/:id/, makeOrganiserTicket],
    [
      /^\/api\/support\/desk\/messages\/:id/,
      async (server, owner) => ({ id: await message(server, owner, 'x@exemple.fr') }),
    ],
    [/^\/api\/support\/desk\/replies\/:id/, reply],
  ]
}
